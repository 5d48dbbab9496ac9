package io.fairlead.gateway.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * lifecycle 98: guessing from one address is slowed, for a minute, and is all that is remembered.
 */
class FailedCredentialsTest {
  private static final Optional<Duration> NO_WAIT = Optional.empty();

  private long now = Long.MAX_VALUE - Duration.ofSeconds(30).toNanos();
  private int limit = 3;
  private final FailedCredentials failures = new FailedCredentials(() -> limit, () -> now);

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void addressWaitsForTheEndOfItsMinuteWhenItFailedTooOften() {
    assertEquals(NO_WAIT, failures.note("a"));
    pass(Duration.ofSeconds(20));
    assertEquals(NO_WAIT, failures.note("a"));
    assertEquals(NO_WAIT, failures.note("a"));
    assertEquals(Optional.of(Duration.ofSeconds(40)), failures.note("a"));
    assertEquals(NO_WAIT, failures.note("b"));
    pass(Duration.ofSeconds(39));
    assertEquals(Optional.of(Duration.ofSeconds(1)), failures.note("a"));
    pass(Duration.ofSeconds(1));
    assertEquals(NO_WAIT, failures.note("a"));
    assertEquals(2, failures.addresses());
    pass(Duration.ofMinutes(1));
    assertEquals(NO_WAIT, failures.note("c"));
    assertEquals(1, failures.addresses());
  }

  @Test
  void addressesAreBoundedAndTheOldestIsForgotten() {
    limit = 1;
    for (int i = 0; i < FailedCredentials.MAX_ADDRESSES + 10; i++) {
      pass(Duration.ofNanos(1));
      assertEquals(NO_WAIT, failures.note("a" + i));
    }
    assertEquals(FailedCredentials.MAX_ADDRESSES, failures.addresses());
    assertTrue(failures.note("a10").isPresent());
    assertEquals(NO_WAIT, failures.note("a9"));
  }

  @Test
  void nothingIsRememberedWhenThereIsNoLimit() {
    limit = 0;
    assertEquals(NO_WAIT, failures.note("a"));
    assertEquals(0, failures.addresses());
  }
}
