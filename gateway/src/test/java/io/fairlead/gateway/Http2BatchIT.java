package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.H2Client.Exchange;
import io.fairlead.gateway.ScriptedBackend.OpenCall;
import io.vertx.core.http.HttpMethod;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** lifecycle 65 over h2: how a batch of revision 2025-03-26 is answered on a stream of its own. */
class Http2BatchIT {
  private static final HttpMethod POST = HttpMethod.POST;
  private static final String METERED = "management { enabled = true, port = 0 }\n";

  /** Many times the window of a stream. */
  private static final String LARGE = "x".repeat(8 << 20);

  @TempDir private static Path directory;
  private static TestKeys keys;

  private final ScriptedBackend backend = new ScriptedBackend("demo");
  private LoggedErrors errors;
  private TestGateway gateway;
  private H2Client client;
  private String session;

  @BeforeAll
  static void keys() throws Exception {
    keys = TestKeys.create(directory, "server", "EC");
  }

  @BeforeEach
  void watch() {
    errors = LoggedErrors.watch();
  }

  @AfterEach
  void stop() {
    client.close();
    gateway.close();
    errors.close();
  }

  private void start(String hocon) throws Exception {
    gateway = TestGateway.start(keys.hocon() + METERED + hocon, backend);
    client = H2Client.connect(gateway.port());
    session = client.session("2025-03-26");
  }

  private Exchange batch(boolean reads) {
    String calls = McpSession.call("1") + "," + McpSession.call("2") + "," + McpSession.call("3");
    return client.send(reads, POST, "[" + calls + "]", session);
  }

  private double gauge(String name) {
    return Double.parseDouble(gateway.gauges().get("fairlead_" + name));
  }

  private void expectPong() {
    String ping = McpSession.request("7", "ping", "{}");
    assertEquals(200, client.send(POST, ping, session).status());
  }

  private static void expectArray(String body) {
    assertTrue(body.startsWith("[{") && body.endsWith("}]"));
    assertEquals(3, body.split("\"jsonrpc\"", -1).length - 1);
  }

  @Test
  void answersGoOutAsTheyCome() throws Exception {
    start("");
    Exchange batch = batch(true);
    List<OpenCall> calls = List.of(backend.nextCall(), backend.nextCall(), backend.nextCall());
    calls.get(2).answer("three");
    batch.until("three");
    calls.get(0).answer(LARGE);
    calls.get(1).answer("two");
    String body = batch.body();
    expectArray(body);
    assertTrue(body.indexOf("three") < body.indexOf(LARGE));
    assertTrue(body.indexOf(LARGE) < body.indexOf("two"));
    assertEquals("application/json", batch.response().getHeader("Content-Type"));
    TestGateway.until("nothing is left", () -> gateway.holdings().streams() == 0);
    assertEquals(0, gauge("unsent_bytes"));
  }

  @Test
  void clientThatReadsLateGetsAll() throws Exception {
    start("");
    Exchange late = batch(false);
    List<OpenCall> calls = List.of(backend.nextCall(), backend.nextCall(), backend.nextCall());
    calls.forEach(call -> call.answer(call == calls.get(2) ? "three" : LARGE));
    assertEquals(200, late.status());
    assertTrue(gauge("unsent_bytes") > LARGE.length());
    expectPong();
    late.response().resume();
    expectArray(late.body());
    TestGateway.until("nothing waits", () -> gauge("unsent_bytes") == 0);
  }

  @Test
  void clientThatReadsNothingIsCutInThatStreamAlone() throws Exception {
    start("limits { keep-alive = 500ms, slow-reader-timeout = 1s }");
    Exchange stuck = batch(false);
    List<OpenCall> calls = List.of(backend.nextCall(), backend.nextCall(), backend.nextCall());
    calls.get(0).answer(LARGE + LARGE + LARGE);
    calls.get(1).answer("waits");
    assertEquals(200, stuck.status());
    TestGateway.until("it is cut", () -> gauge("unsent_bytes") == 0);
    expectPong();
    assertTrue(calls.get(2).cancelled.isEmpty());
    calls.get(2).answer("dropped");
    TestGateway.until("its streams go", () -> gateway.holdings().streams() == 0);
  }

  @Test
  @DisplayName("streams 2 over h2: a batch whose stream is reset goes on, and holds nothing")
  void resetIsNoCancel() throws Exception {
    start("");
    Exchange left = batch(false);
    List<OpenCall> calls = List.of(backend.nextCall(), backend.nextCall(), backend.nextCall());
    calls.get(0).answer(LARGE);
    assertEquals(200, left.status());
    left.request.reset(8);
    TestGateway.until("its sinks are gone", () -> gateway.holdings().sinks() == 0);
    assertEquals(0, gauge("unsent_bytes"));
    for (OpenCall call : calls.subList(1, 3)) {
      assertTrue(call.cancelled.isEmpty());
      call.answer("dropped");
    }
    assertEquals(0, gateway.holdings().streams());
    assertEquals(0, gateway.holdings().calls());
  }
}
