package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.session.Session;
import io.fairlead.wire.Revision;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Requests that come at the very end of a session. */
class ExpiryRacesIT {
  private static final Duration IDLE = Duration.ofMillis(200);
  private static final int SESSIONS = 60;
  private static final String ACCEPT = "Accept: " + McpSocket.BOTH;

  private final ScriptedBackend backend = new ScriptedBackend("demo");

  /** Opened on the loop, so that the idle time begins now. */
  private static String open(TestGateway gateway) {
    byte[] params = "{}".getBytes(StandardCharsets.UTF_8);
    Session.Start start = new Session.Start(Principal.ANONYMOUS, "", Revision.V2025_11_25, params);
    return gateway.read(
        parts ->
            parts
                .sessions()
                .open(start)
                .fold(
                    session -> {
                      parts.sessions().confirm(session);
                      return session.id();
                    },
                    limit -> {
                      throw new AssertionError(limit);
                    }));
  }

  private static void spin(Duration wait) {
    long end = System.nanoTime() + wait.toNanos();
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  @Test
  @DisplayName(
      "lifecycle 22: a call at the end of its session runs and is answered, or does neither")
  void callAtTheEndRunsOrIsRefused() throws Exception {
    int answered = 0;
    try (TestGateway gateway =
        TestGateway.start("sessions.idle-timeout = " + IDLE.toMillis() + "ms", backend)) {
      for (int i = 0; i < SESSIONS; i++) {
        String session = "Mcp-Session-Id: " + open(gateway);
        // from a little before the end of the idle time to the end of the sweep after it
        spin(IDLE.multipliedBy(80 + i).dividedBy(100));
        try (McpSocket call = gateway.send("POST", McpSession.call("1"), ACCEPT, session)) {
          if (call.status() == 200) {
            answered++;
            backend.nextCall().answer("ran");
            assertTrue(call.message().data().contains("ran"));
          } else {
            assertEquals(404, call.status());
            assertTrue(call.body().contains("\"dispatched\":false"));
          }
        }
        assertTrue(backend.isQuiet(), "a call that was refused ran");
      }
      TestGateway.until("all have ended", () -> gateway.holdings().sessions() == 0);
    }
    System.out.printf("calls at the end of their session: answered=%d of %d%n", answered, SESSIONS);
  }

  @Test
  @DisplayName("lifecycle 19: a session does not expire while a request's body is received")
  void bodyThatIsReceivedIsWork() throws Exception {
    try (TestGateway gateway = TestGateway.start("sessions.idle-timeout = 1s", backend)) {
      McpSession session = McpSession.open(gateway.port());
      McpSession other = McpSession.open(gateway.port());
      String body = McpSession.request("5", "ping", "{}");
      McpSocket slow =
          McpSocket.raw(
              gateway.port(),
              "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                  + ACCEPT
                  + "\r\nMcp-Session-Id: "
                  + session.id
                  + "\r\nContent-Length: "
                  + body.length()
                  + "\r\n\r\n"
                  + body.substring(0, 10));
      TestGateway.until("the other has expired", () -> gateway.holdings().sessions() == 1);
      other.post(body).expect(404);
      slow.write(body.substring(10).getBytes(StandardCharsets.US_ASCII));
      slow.expect(200);
    }
  }
}
