package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.H2Client.Exchange;
import io.vertx.core.http.HttpMethod;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plain answers whose clients are slow to read them, or do not. */
class UnsentAnswersIT {
  private static final String BOUNDS =
      "\nlimits { keep-alive = 500ms, slow-reader-timeout = 1s }\n"
          + "management { enabled = true, port = 0 }\n";
  private static final String PLAIN = "Accept: application/json";

  /** More than the two kernels take. */
  private static final String LARGE = "x".repeat(24 << 20);

  @TempDir private static Path directory;
  private final ScriptedBackend backend = new ScriptedBackend("demo");
  private TestGateway gateway;

  @AfterEach
  void stop() {
    gateway.close();
  }

  private double gauge(String name) {
    return Double.parseDouble(gateway.gauges().get("fairlead_" + name));
  }

  private McpSocket call(McpSession session) throws Exception {
    return McpSocket.send(
        gateway.port(),
        "POST",
        "/mcp",
        McpSession.call("1"),
        PLAIN,
        "Mcp-Session-Id: " + session.id);
  }

  @Test
  @DisplayName("streams 22: a client that does not read its plain answer is cut")
  void plainAnswerThatNobodyReadsIsCut() throws Exception {
    gateway = TestGateway.start(BOUNDS, backend);
    try (McpSocket stuck = call(McpSession.open(gateway.port()))) {
      backend.nextCall().answer(LARGE);
      TestGateway.until("it is cut", () -> gauge("connections") == 0);
      assertEquals(0, gauge("unsent_bytes"));
      assertEquals(200, stuck.status());
    }
  }

  @Test
  @DisplayName("over h2 such a client is cut in that stream alone")
  void streamOfPlainAnswerThatNobodyReadsIsCut() throws Exception {
    gateway =
        TestGateway.start(TestKeys.create(directory, "server", "EC").hocon() + BOUNDS, backend);
    try (H2Client client = H2Client.connect(gateway.port())) {
      String session = client.session();
      Exchange stuck = client.send(false, HttpMethod.POST, McpSession.call("1"), session, PLAIN);
      backend.nextCall().answer(LARGE);
      assertEquals(200, stuck.status());
      TestGateway.until("it is cut", () -> gauge("unsent_bytes") == 0);
      String ping = McpSession.request("7", "ping", "{}");
      assertEquals(200, client.send(HttpMethod.POST, ping, session).status());
    }
  }

  @Test
  @DisplayName("a large plain answer arrives whole, in parts as its client reads")
  void largePlainAnswerArrivesWhole() throws Exception {
    gateway = TestGateway.start("management { enabled = true, port = 0 }", backend);
    try (McpSocket slow = call(McpSession.open(gateway.port()))) {
      backend.nextCall().answer(LARGE);
      assertEquals(200, slow.status());
      TestGateway.until("it waits", () -> gauge("unsent_bytes") > LARGE.length());
      assertTrue(slow.body().contains(LARGE));
      TestGateway.until("nothing waits", () -> gauge("unsent_bytes") == 0);
    }
  }
}
