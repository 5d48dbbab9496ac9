package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Opening requests that never come to an end, and exchanges that nobody waits for. */
class HandshakesIT {
  private static final TestGateway.Holdings NOTHING = new TestGateway.Holdings(0, 0, 0, 0, 0, 0);
  private static final String INIT = McpSession.initialize("2025-11-25");
  private static final String ACCEPT = "Accept: " + McpSocket.BOTH;

  private final ScriptedBackend slow = new ScriptedBackend("slow");
  private final ScriptedBackend quick = new ScriptedBackend("quick");
  private TestGateway gateway;
  private LoggedErrors errors;

  @BeforeEach
  void watch() {
    errors = LoggedErrors.watch();
  }

  @AfterEach
  void stop() {
    gateway.close();
    errors.close();
  }

  private McpSocket initialize() throws Exception {
    return McpSocket.send(gateway.port(), "POST", "/mcp", INIT, ACCEPT);
  }

  private int timers() {
    return gateway.read(parts -> parts.services().loop().timers());
  }

  private void waitForHandshakes(int count) {
    TestGateway.until("handshakes=" + count, () -> gateway.holdings().handshakes() == count);
  }

  @Test
  @DisplayName("lifecycle 6: clients that leave while initialize waits leave nothing")
  void clientsThatLeaveWhileTheyWait() throws Exception {
    slow.holdsOpening = true;
    gateway = TestGateway.start("", slow);
    int before = timers();
    List<McpSocket> waiting = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      waiting.add(initialize());
    }
    waitForHandshakes(50);
    for (McpSocket each : waiting) {
      each.reset();
    }
    waitForHandshakes(0);
    assertEquals(before, timers());
    slow.holdsOpening = false;
    slow.open();
    McpSession.open(gateway.port());
    assertEquals(1, gateway.holdings().sessions());
  }

  @Test
  @DisplayName("lifecycle 9: handshakes in progress are bounded and harm no session")
  void pendingHandshakesAreBounded() throws Exception {
    slow.holdsOpening = true;
    gateway = TestGateway.start("sessions.max-pending-handshakes = 3", slow, quick);
    McpSession session = McpSession.open(gateway.port());
    List<McpSocket> waiting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waiting.add(initialize());
    }
    waitForHandshakes(3);
    try (McpSocket refused = initialize()) {
      assertEquals(503, refused.status());
      assertTrue(refused.header("Retry-After").isPresent());
      assertTrue(refused.body().contains("sessions.max-pending-handshakes"));
    }
    try (McpSocket ping = session.post(McpSession.request("5", "ping", "{}"))) {
      assertEquals(200, ping.status());
    }
    for (McpSocket each : waiting) {
      assertEquals(200, each.status());
      each.close();
    }
    assertEquals(4, gateway.holdings().sessions());
  }

  @Test
  @DisplayName("lifecycle 8, 79: bodies that trickle are cut off and keep nobody out")
  void tricklingBodiesKeepNobodyOut() throws Exception {
    gateway = TestGateway.start("limits.body-timeout = 1s", quick);
    List<McpSocket> trickling = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      McpSocket half =
          McpSocket.raw(
              gateway.port(),
              "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                  + ACCEPT
                  + "\r\nContent-Length: 1000\r\n\r\n{\"jsonrpc\"");
      trickling.add(half);
    }
    McpSession.open(gateway.port());
    for (McpSocket half : trickling) {
      try (half) {
        assertEquals(408, half.status());
        half.body();
        assertTrue(half.isClosed());
      }
    }
    assertEquals(0, gateway.holdings().handshakes());
    assertEquals(1, gateway.holdings().sessions());
  }

  @Test
  @DisplayName("lifecycle 10: a batch shows too that the client goes on to use its session")
  void batchConfirmsItsSession() throws Exception {
    gateway = TestGateway.start("sessions.initialized-timeout = 1s", quick);
    String first = unconfirmed();
    String batch = "[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}]";
    try (McpSocket sent = McpSocket.send(gateway.port(), "POST", "/mcp", batch, ACCEPT, first)) {
      assertEquals(202, sent.status());
    }
    unconfirmed();
    TestGateway.until("the other is removed", () -> gateway.holdings().sessions() == 1);
    String ping = McpSession.request("5", "ping", "{}");
    try (McpSocket sent = McpSocket.send(gateway.port(), "POST", "/mcp", ping, ACCEPT, first)) {
      assertEquals(200, sent.status());
    }
  }

  private String unconfirmed() throws Exception {
    String older = McpSession.initialize("2025-03-26");
    try (McpSocket answer = McpSocket.send(gateway.port(), "POST", "/mcp", older, ACCEPT)) {
      return "Mcp-Session-Id: " + answer.header("Mcp-Session-Id").orElseThrow();
    }
  }

  @Test
  @DisplayName("lifecycle 23: in stateless mode too a call without its client ends in the end")
  void abandonedExchangeIsCancelled() throws Exception {
    gateway = TestGateway.start("sessions { mode = stateless, abandon-timeout = 300ms }", quick);
    McpSocket kept = McpSocket.send(gateway.port(), "POST", "/mcp", McpSession.call("1"), ACCEPT);
    kept.next();
    OpenCall running = quick.nextCall();
    for (int i = 0; i < 6; i++) {
      McpSocket post = McpSocket.send(gateway.port(), "POST", "/mcp", McpSession.call("1"), ACCEPT);
      post.next();
      OpenCall call = quick.nextCall();
      post.reset();
      if (i % 2 == 0) {
        call.answer("for nobody");
      } else {
        assertEquals("abandoned", call.cancelled.take());
      }
    }
    TestGateway.until("one is left", () -> gateway.holdings().calls() == 1);
    running.answer("still there");
    assertTrue(kept.message().data().contains("still there"));
    TestGateway.until("nothing is held", () -> gateway.holdings().equals(NOTHING));
  }
}
