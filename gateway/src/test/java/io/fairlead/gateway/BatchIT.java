package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How a batch of revision 2025-03-26 is answered, and what it holds meanwhile. */
class BatchIT {
  private static final String METERED = "management { enabled = true, port = 0 }\n";
  private static final String EVICTED = "completed_result_evicted";

  /** So much more than the two kernels take that nothing else is written after it. */
  private static final String LARGE = "x".repeat(32 << 20);

  private static final int SHARE = (int) (Runtime.getRuntime().maxMemory() / 8 / 8);

  private final ScriptedBackend backend = new ScriptedBackend("demo");
  private LoggedErrors errors;
  private TestGateway gateway;
  private McpSession session;

  @BeforeEach
  void watch() {
    errors = LoggedErrors.watch();
  }

  @AfterEach
  void stop() {
    gateway.close();
    errors.close();
  }

  private void start(String hocon) throws Exception {
    gateway = TestGateway.start(hocon, backend);
    session = McpSession.open(gateway.port(), "/mcp", "2025-03-26");
  }

  private McpSocket batch(int calls) throws Exception {
    List<String> messages = new ArrayList<>();
    for (int i = 1; i <= calls; i++) {
      messages.add(McpSession.call("" + i));
    }
    return session.post("[" + String.join(",", messages) + "]");
  }

  /** A batch whose client does not read, as far as it can be written. */
  private McpSocket stuck(OpenCall[] calls) throws Exception {
    McpSocket socket = batch(calls.length);
    for (int i = 0; i < calls.length; i++) {
      calls[i] = backend.nextCall();
    }
    calls[0].answer(LARGE);
    TestGateway.until("it waits", () -> gauge("unsent_bytes") > SHARE);
    return socket;
  }

  private double gauge(String name) {
    return Double.parseDouble(gateway.gauges().get("fairlead_" + name));
  }

  private static String body(McpSocket socket, int answers) throws Exception {
    String body = socket.body();
    assertTrue(body.startsWith("[{") && body.endsWith("}]"));
    assertEquals(answers, body.split("\"jsonrpc\"", -1).length - 1);
    return body;
  }

  @Test
  @DisplayName("lifecycle 65: an answer goes out when it is there, not when the last is")
  void answersGoOutAsTheyCome() throws Exception {
    start("");
    McpSocket batch = batch(2);
    OpenCall first = backend.nextCall();
    OpenCall second = backend.nextCall();
    backend.onLoop(() -> second.listener.polled(Duration.ofMillis(50)));
    second.note("lost, for there is no stream");
    second.answer("two");
    assertEquals(200, batch.status());
    assertEquals("application/json", batch.header("content-type").orElseThrow());
    first.answer("one");
    String body = body(batch, 2);
    assertTrue(body.indexOf("two") < body.indexOf("one"), body);
    session.post("[" + note() + "]").expect(202);
  }

  private static String note() {
    return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/roots/list_changed\"}";
  }

  @Test
  @DisplayName("what a client does not take yet waits in the streams, within their bounds")
  void answersWaitWithinBounds() throws Exception {
    start(METERED);
    OpenCall[] calls = new OpenCall[5];
    McpSocket stuck = stuck(calls);
    for (int i = 1; i < calls.length; i++) {
      calls[i].answer("y".repeat(5 << 20));
    }
    double held = gauge("event_bytes");
    assertTrue(held > 15 << 20 && held <= 16 << 20, () -> "held=" + held);
    String body = body(stuck, calls.length);
    assertEquals(1, body.split(EVICTED, -1).length - 1);
    TestGateway.until("nothing is left", () -> gateway.holdings().streams() == 0);
  }

  @Test
  @DisplayName("what no stream can hold goes out at once, within the bound of unsent bytes")
  void answersThatFitNoStreamDoNotWait() throws Exception {
    start(METERED + "events.max-bytes-per-stream = 1MiB");
    OpenCall[] calls = new OpenCall[2];
    McpSocket stuck = stuck(calls);
    calls[1].answer("y".repeat(2 << 20));
    assertEquals(0, gateway.holdings().events());
    assertEquals(0, gateway.holdings().streams());
    stuck.reset();
    TestGateway.until("nothing is left", () -> gauge("unsent_bytes") == 0);
  }

  @Test
  @DisplayName("an answer that waits when the session ends is not called cancelled")
  void answerThatWaitsIsNotCalledCancelled() throws Exception {
    start(METERED);
    OpenCall[] calls = new OpenCall[3];
    McpSocket stuck = stuck(calls);
    calls[1].answer("waits");
    session.delete().expect(204);
    String body = body(stuck, calls.length);
    assertTrue(body.contains(EVICTED) && body.split("\"cancelled\"", -1).length == 2);
  }

  @Test
  @DisplayName("streams 18: a client that reads none of it is cut, and its calls go on")
  void readerOfNothingIsCut() throws Exception {
    start(METERED + "limits { keep-alive = 500ms, slow-reader-timeout = 1s }");
    OpenCall[] calls = new OpenCall[3];
    McpSocket stuck = stuck(calls);
    calls[1].answer("waits");
    TestGateway.until("it is cut", () -> gauge("connections") == 0);
    TestGateway.until("it holds nothing", () -> gauge("unsent_bytes") == 0);
    assertTrue(calls[2].cancelled.isEmpty());
    calls[2].answer("dropped");
    TestGateway.until("its streams go", () -> gateway.holdings().streams() == 0);
    assertEquals(200, stuck.status());
  }

  @Test
  @DisplayName("lifecycle 65: a batch whose client leaves goes on, and its streams end with it")
  void batchOfAClientThatLeaves() throws Exception {
    start("");
    McpSocket batch = batch(2);
    OpenCall first = backend.nextCall();
    OpenCall second = backend.nextCall();
    first.answer("one");
    batch.reset();
    TestGateway.until("its sinks are gone", () -> gateway.holdings().sinks() == 0);
    second.note("for nobody");
    assertEquals(0, gateway.holdings().events());
    second.answer("two");
    assertTrue(second.cancelled.isEmpty());
    assertEquals(0, gateway.holdings().streams());
    assertEquals(0, gateway.holdings().calls());
  }

  @Test
  @DisplayName("neither does a call keep a stream whose client left before it had an id")
  void callOfAClientThatLeavesWithoutAnId() throws Exception {
    start("");
    for (String form : List.of("application/json", "text/event-stream")) {
      McpSocket post = session.postTaking(form, McpSession.call("1"));
      OpenCall call = backend.nextCall();
      post.reset();
      TestGateway.until("it has left", () -> gateway.holdings().sinks() == 0);
      call.answer("x");
      assertTrue(call.cancelled.isEmpty());
      assertEquals(0, gateway.holdings().streams());
    }
  }
}
