package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Silence alone ends no call (streams 30): ten minutes of it, with the waits of the product. */
@Tag("soak")
class SilenceIT {
  private static final Duration SILENCE = Duration.ofMinutes(10);
  private static final Duration BOUND = SILENCE.plusSeconds(30);
  private static final Probing PROBING = new Probing(Duration.ofSeconds(1), SILENCE, 3);

  private static void answerAfterSilence(FaultyPeer.Request request, Wire wire)
      throws java.io.IOException {
    LockSupport.parkNanos(SILENCE.toNanos());
    wire.json(McpPeer.result(request));
  }

  private static void answerOnSilentStream(FaultyPeer.Request request, Wire wire)
      throws java.io.IOException {
    wire.sse();
    LockSupport.parkNanos(SILENCE.toNanos());
    wire.chunk("data: " + McpPeer.result(request) + "\n\n").end();
  }

  @Test
  void callIsAnsweredAfterTenMinutesWithoutAByte() throws Exception {
    try (McpPeer peer = new McpPeer()) {
      peer.onCall(SilenceIT::answerAfterSilence, SilenceIT::answerOnSilentStream);
      Credentials none = Credentials.fixed(Map.of());
      HttpLinkOptions options =
          new HttpLinkOptions(
              peer.http.url(), none, Duration.ofSeconds(5), 1 << 20, 99, Timing.DEFAULT);
      try (LinkBed bed = new LinkBed(options)) {
        bed.run(() -> bed.link.monitor(PROBING));
        long begun = System.nanoTime();
        CallRecorder headless = bed.tool(1);
        LinkBed.until(() -> peer.http.posts("tools/call").size() == 1);
        CallRecorder silent = bed.tool(2);
        assertEquals("answer " + McpPeer.result("1"), headless.take(BOUND));
        assertEquals("answer " + McpPeer.result("2"), silent.take(BOUND));
        long seconds = Duration.ofNanos(System.nanoTime() - begun).toSeconds();
        assertTrue(seconds >= SILENCE.toSeconds(), "s=" + seconds);
        int pings = peer.http.posts("ping").size();
        System.out.println("silence s=" + seconds + " pings=" + pings);
        assertTrue(pings > 100, "pings=" + pings);
        assertEquals(2, peer.http.posts("tools/call").size());
        assertEquals(List.of(), List.copyOf(bed.events));
      }
    }
  }
}
