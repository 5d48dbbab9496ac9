package io.fairlead.gateway.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long a backend that cannot start is left alone (lifecycle 110). */
class BackoffTest {
  private final Backoff backoff = new Backoff();
  private long now = Long.MAX_VALUE - 5; // the clock may run over

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void firstStartMayBeTriedAtOnce() {
    assertEquals(Duration.ZERO, backoff.remaining(now));
  }

  @Test
  void waitsDoubleUpToTheLast() {
    long[] expected = {250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000};
    for (long millis : expected) {
      backoff.failed(now);
      assertEquals(Duration.ofMillis(millis), backoff.remaining(now));
      pass(Duration.ofMillis(millis).minusNanos(1));
      assertEquals(Duration.ofNanos(1), backoff.remaining(now));
      pass(Duration.ofNanos(1));
      assertEquals(Duration.ZERO, backoff.remaining(now));
    }
  }

  @Test
  void startsThatFailTogetherCountOnce() {
    backoff.failed(now);
    backoff.failed(now);
    pass(Duration.ofMillis(100));
    backoff.failed(now);
    assertEquals(Duration.ofMillis(150), backoff.remaining(now));
  }

  @Test
  void successStartsOver() {
    backoff.failed(now);
    pass(Duration.ofMillis(250));
    backoff.failed(now);
    backoff.succeeded();
    assertEquals(Duration.ZERO, backoff.remaining(now));
    backoff.failed(now);
    assertEquals(Duration.ofMillis(250), backoff.remaining(now));
  }
}
