package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.session.RequestStream;
import io.fairlead.gateway.session.Session;
import io.fairlead.gateway.session.StreamSink;
import io.fairlead.store.EventKind;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.Revision;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is left when everything has ended: nothing. */
class LeakIT {
  private static final TestGateway.Holdings NOTHING = new TestGateway.Holdings(0, 0, 0, 0, 0, 0);
  private static final String CONFIG =
      """
      sessions { abandon-timeout = 300ms, idle-timeout = 300ms, max = 10000 }
      events { ttl = 300ms, retry = 100ms }
      limits { calls = 10000 }
      """;
  private static final int SESSIONS = 1_000;
  private static final int CALLS = 100;
  private static final int ABANDONED = 5_000;
  private static final double GROWTH = 1.05;

  private final ScriptedBackend backend = new ScriptedBackend("demo");

  @Test
  @DisplayName("streams 11: 100,000 calls of 10 events and 5,000 abandoned sessions leave nothing")
  void everythingIsLetGo() throws Exception {
    try (TestGateway gateway = TestGateway.start(CONFIG, backend)) {
      callsOf(gateway, SESSIONS / 10);
      abandon(gateway, ABANDONED / 10);
      TestGateway.until("warm-up is over", () -> gateway.holdings().equals(NOTHING));
      long before = usedHeap();
      int timers = timers(gateway);

      callsOf(gateway, SESSIONS);
      abandon(gateway, ABANDONED);

      TestGateway.until("all is let go", () -> gateway.holdings().equals(NOTHING));
      assertEquals(timers, timers(gateway));
      int links = gateway.read(parts -> parts.services().tally().links("demo"));
      assertEquals(0, links);
      long after = usedHeap();
      assertTrue(after <= before * GROWTH, "before=" + before + " after=" + after);
    }
  }

  /** Sessions that are deleted after a hundred calls of ten events each. */
  private void callsOf(TestGateway gateway, int sessions) {
    Envelope request = backend.envelope(McpSession.call("1"));
    Envelope note =
        backend.envelope(
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}");
    for (int i = 0; i < sessions; i++) {
      gateway.read(
          parts -> {
            Session session = open(parts);
            for (int call = 0; call < CALLS; call++) {
              session.call(request, Principal.ANONYMOUS, true, OptionalLong.empty(), new Blind());
              OpenCall open = backend.takeCall();
              for (int event = 0; event < 9; event++) {
                open.listener.message(note);
              }
              open.answerNow("x");
            }
            return parts.sessions().close(session, "deleted");
          });
    }
  }

  /** Sessions whose client is gone while a call runs. */
  private void abandon(TestGateway gateway, int sessions) {
    Envelope request = backend.envelope(McpSession.call("1"));
    for (int i = 0; i < sessions; i++) {
      gateway.read(
          parts -> {
            Blind sink = new Blind();
            open(parts).call(request, Principal.ANONYMOUS, true, OptionalLong.empty(), sink);
            sink.leave();
            return backend.takeCall();
          });
    }
    backend.links.clear();
  }

  private static Session open(Assembly parts) {
    Session.Start start =
        new Session.Start(
            Principal.ANONYMOUS, "", Revision.V2025_11_25, "{}".getBytes(StandardCharsets.UTF_8));
    return parts
        .sessions()
        .open(start)
        .fold(
            session -> session,
            limit -> {
              throw new AssertionError(limit);
            });
  }

  private static int timers(TestGateway gateway) {
    return gateway.read(parts -> parts.services().loop().timers());
  }

  private static long usedHeap() {
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
    }
    return used;
  }

  /** A connection that takes everything. */
  private static final class Blind implements StreamSink {
    private RequestStream stream;

    @Override
    public void attachTo(RequestStream taken, long cursor) {
      stream = taken;
      taken.attach(cursor, this);
    }

    void leave() {
      stream.detach(this);
    }

    @Override
    public boolean full() {
      return false;
    }

    @Override
    public void event(String id, EventKind kind, byte[] message) {}

    @Override
    public void gap(long events) {}

    @Override
    public boolean canReturn() {
      return true;
    }

    @Override
    public void end() {}

    @Override
    public void displaced() {}

    @Override
    public void poll(Duration retry) {}
  }
}
