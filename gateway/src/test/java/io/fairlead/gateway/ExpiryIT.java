package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.session.Session;
import io.fairlead.wire.Revision;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which sessions a sweep ends, what it costs, and what holds a session. */
class ExpiryIT extends GatewayBench {
  private static final int SESSIONS = 100_000;
  private static final int AT_ONCE = 10_000;

  /** Opens a session that its client has confirmed; for the owner loop. */
  private static Session open(Assembly parts) {
    byte[] params = "{}".getBytes(StandardCharsets.UTF_8);
    Session.Start start = new Session.Start(Principal.ANONYMOUS, "", Revision.LATEST, params);
    Session opened =
        parts
            .sessions()
            .open(start)
            .fold(
                session -> session,
                limit -> {
                  throw new AssertionError(limit);
                });
    parts.sessions().confirm(opened);
    return opened;
  }

  private static void spin(Duration wait) {
    long end = System.nanoTime() + wait.toNanos();
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  @Test
  @DisplayName("lifecycle 21: the first sweep after the idle time ends all that are due, no other")
  void sweepEndsWhatIsDue() throws Exception {
    start("sessions.idle-timeout = 2s");
    // in one turn of the loop, so that no sweep comes between
    List<Boolean> closed =
        gateway.read(
            parts -> {
              Session first = open(parts);
              Session second = open(parts);
              Session held = open(parts);
              held.hold();
              spin(Duration.ofMillis(2_001));
              Session late = open(parts);
              parts.sessions().expire();
              return List.of(first.isClosed(), second.isClosed(), held.isClosed(), late.isClosed());
            });
    assertEquals(List.of(true, true, false, false), closed);
  }

  @Test
  @DisplayName("lifecycle 21: a sweep costs the same beside 100,000 sessions, far below 10 ms")
  void sweepDoesNotScan() throws Exception {
    start("sessions.max = " + SESSIONS);
    for (int i = 0; i < SESSIONS; i += AT_ONCE) {
      gateway.read(
          parts -> {
            IntStream.range(0, AT_ONCE).forEach(each -> open(parts));
            return 0;
          });
    }
    long micros = Long.MAX_VALUE;
    // the best of some rounds: what else the machine does is no part of it
    for (int round = 0; round < 10; round++) {
      micros = Math.min(micros, gateway.read(ExpiryIT::microsOfASweep));
    }
    assertEquals(SESSIONS, gateway.holdings().sessions());
    System.out.printf("sweep beside sessions=%d: us=%d%n", SESSIONS, micros);
    // a scan of them takes more than that
    assertTrue(micros < 100, "a sweep took us=" + micros);
  }

  private static long microsOfASweep(Assembly parts) {
    long begin = System.nanoTime();
    for (int i = 0; i < 100; i++) {
      parts.sessions().expire();
    }
    return (System.nanoTime() - begin) / 100_000;
  }

  @Test
  @DisplayName("lifecycle 18: a silent open stream holds its session for ten times the idle time")
  void silentStreamHoldsItsSession() throws Exception {
    start("");
    McpSession held = McpSession.open(gateway.port());
    McpSocket stream = held.get();
    assertEquals(200, stream.status());
    gateway.apply("sessions.idle-timeout = 100ms", backend);
    for (int i = 0; i < 10; i++) {
      Session other = gateway.read(ExpiryIT::open);
      TestGateway.until("another expires", () -> gateway.read(parts -> other.isClosed()));
    }
    assertEquals(1, gateway.holdings().sessions());
    held.post(PING).expect(200);
    stream.close();
    TestGateway.until("it expires", () -> gateway.holdings().sessions() == 0);
    assertEquals(Optional.empty(), gateway.read(parts -> find(parts, held)));
  }

  private static Optional<Session> find(Assembly parts, McpSession session) {
    return parts.sessions().find(session.id, Principal.ANONYMOUS, "");
  }
}
