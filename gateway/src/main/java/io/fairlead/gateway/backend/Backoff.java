package io.fairlead.gateway.backend;

import java.time.Duration;

/**
 * Keeps a backend that cannot start from being started in a tight loop: 250 ms after the first
 * failure, doubling to 30 s, until a start succeeds.
 *
 * <p>Thread: owner loop. Time: {@link System#nanoTime}, given by the caller.
 */
final class Backoff {
  static final Duration FIRST = Duration.ofMillis(250);
  static final Duration LAST = Duration.ofSeconds(30);

  private Duration next = FIRST;
  private boolean waiting;
  private long until;

  /** How long no start may be tried; zero if one may. */
  Duration remaining(long now) {
    waiting = waiting && until - now > 0;
    return waiting ? Duration.ofNanos(until - now) : Duration.ZERO;
  }

  /** A start failed. Starts that were under way together count as one failure. */
  void failed(long now) {
    if (!remaining(now).isZero()) {
      return;
    }
    waiting = true;
    until = now + next.toNanos();
    Duration doubled = next.multipliedBy(2);
    next = doubled.compareTo(LAST) < 0 ? doubled : LAST;
  }

  void succeeded() {
    next = FIRST;
    waiting = false;
  }
}
