package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.LargeCallServer.Manner;
import io.fairlead.gateway.ScriptedBackend.OpenCall;
import io.fairlead.gateway.session.HeldBytes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Requests of calls in flight are bounded in bytes, as long as they are held. */
class CallBytesIT {
  private static final String BOUND = "\"limit\":\"call_bytes\"";

  /** Two fit, and three do not. */
  private static final int PART = (int) (Runtime.getRuntime().maxMemory() / 8 / 8 * 3);

  private static final int LARGE = 500_000;
  private static final String CONFIG =
      "limits.body = " + (PART + 100) + "\nmanagement { enabled = true, port = 0 }\n";

  private final ScriptedBackend backend = new ScriptedBackend("demo");
  private final List<McpSocket> sockets = new ArrayList<>();
  private TestGateway gateway;

  @AfterEach
  void stop() throws Exception {
    for (McpSocket socket : sockets) {
      socket.close();
    }
    gateway.close();
  }

  private static String large(String id, int bytes) {
    String call =
        "{\"jsonrpc\":\"2.0\",\"id\":"
            + id
            + ",\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"arguments\":{\"a\":\"\"}}}";
    int at = call.indexOf("\"\"}}}") + 1;
    return call.substring(0, at) + "x".repeat(bytes - call.length()) + call.substring(at);
  }

  private OpenCall dispatched(McpSession session, String message) throws Exception {
    sockets.add(session.post(message));
    return backend.nextCall();
  }

  /** Other calls take all but {@code bytes}. */
  private void leave(int bytes) {
    gateway.read(
        parts -> {
          HeldBytes calls = parts.services().tally().callBytes();
          return calls.hold((int) calls.limit() - bytes);
        });
  }

  /** What is taken beside that. */
  private int taken(int left) {
    return (int) (gauge("call_bytes") - gauge("call_bytes_limit") + left);
  }

  private double gauge(String name) {
    return Double.parseDouble(
        gateway
            .read(TestGateway::scrape)
            .lines()
            .filter(line -> line.startsWith("fairlead_" + name + " "))
            .map(line -> line.split(" ")[1])
            .findFirst()
            .orElseThrow());
  }

  @Test
  @DisplayName("a call above the bound is refused and not run; what was answered makes room")
  void requestsInFlightAreBoundedInBytes() throws Exception {
    gateway = TestGateway.start(CONFIG, backend);
    McpSession session = McpSession.open(gateway.port());
    OpenCall first = dispatched(session, large("1", PART));
    OpenCall second = dispatched(session, large("2", PART));
    assertEquals(2.0 * PART, gauge("call_bytes"));
    try (McpSocket refused = session.post(large("3", PART))) {
      assertEquals(503, refused.status());
      assertEquals("1", refused.header("Retry-After").orElseThrow());
      assertTrue(refused.body().contains(BOUND));
    }
    assertTrue(
        gateway.read(TestGateway::scrape).contains("refused_total{reason=\"call_bytes\"} 1.0"));
    dispatched(session, McpSession.call("4")).answer("small ones go on");
    first.answer("x");
    OpenCall third = dispatched(session, large("5", PART));
    second.answer("x");
    third.lose("backend_lost");
    assertEquals(0, gauge("call_bytes"));
    assertEquals(0, gauge("calls"));
  }

  @Test
  @DisplayName("in a batch each call is admitted for itself")
  void batchIsAdmittedCallByCall() throws Exception {
    gateway = TestGateway.start(CONFIG, backend);
    McpSession session = McpSession.open(gateway.port(), "/mcp", "2025-03-26");
    leave(LARGE + 1000);
    OpenCall single = dispatched(session, large("1", LARGE));
    String batch = "[" + McpSession.call("2") + "," + large("3", LARGE) + "]";
    try (McpSocket answers = session.post(batch)) {
      backend.nextCall().answer("of the batch");
      String body = answers.body();
      assertTrue(body.contains("of the batch") && body.contains(BOUND), body);
    }
    single.answer("x");
    assertEquals(0, taken(LARGE + 1000));
  }

  @Test
  @DisplayName("without sessions it is the same")
  void statelessCallsAreBoundedInBytes() throws Exception {
    gateway = TestGateway.start(CONFIG + "sessions.mode = stateless\n", backend);
    String accept = "Accept: " + McpSocket.BOTH;
    leave(LARGE);
    McpSocket gone = gateway.send("POST", large("1", LARGE), accept);
    OpenCall call = backend.nextCall();
    gateway.send("POST", large("1", LARGE), accept).expect(503);
    gone.reset();
    TestGateway.until("it has left", () -> gauge("sinks") == 0);
    // a disconnect is no cancel: the call runs on, and holds what it holds
    assertEquals(LARGE, taken(LARGE));
    call.answer("x");
    assertEquals(0, taken(LARGE));
  }

  @Test
  @DisplayName("a cancelled call gives its bytes back, also if its link is not open yet")
  void cancelledCallGivesItsBytesBack() throws Exception {
    gateway = TestGateway.start(CONFIG, backend);
    McpSession session = McpSession.open(gateway.port());
    backend.holdsOpening = true;
    sockets.add(session.post(large("1", LARGE)));
    TestGateway.until("it waits for its link", () -> gauge("call_bytes") == LARGE);
    session
        .post(
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                + "\"params\":{\"requestId\":1}}")
        .expect(202);
    assertEquals(0, gauge("call_bytes"));
    backend.open();
    assertTrue(backend.isQuiet());
  }

  @Test
  @DisplayName("once a server has begun to answer, the request is not held for it any more")
  void requestIsLetGoWhenItsAnswerBegins() throws Exception {
    try (LargeCallServer server = new LargeCallServer()) {
      gateway =
          TestGateway.start(
              CONFIG + "backends.large { type = http, url = \"" + server.url() + "\" }\n");
      McpSession session = McpSession.open(gateway.port());
      sockets.add(session.post(large("1", LARGE)));
      TestGateway.until("it has arrived", () -> server.calls() == 1);
      assertEquals(LARGE, gauge("call_bytes"));
      server.manner(Manner.BEGINS);
      sockets.add(session.post(large("2", LARGE)));
      TestGateway.until("it has arrived", () -> server.calls() == 2);
      TestGateway.until("it is let go", () -> gauge("call_bytes") == LARGE);
      assertEquals(2, gauge("calls"));
    }
  }
}
