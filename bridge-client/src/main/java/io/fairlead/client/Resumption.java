package io.fairlead.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.wire.SseEvent;
import java.time.Duration;
import java.util.Optional;

/**
 * Where to resume a stream, and when: the cursor, the server's reconnection time, and a back-off
 * that only a new event resets. The cursor survives legs that bring nothing.
 *
 * <p>Thread: owner loop.
 */
final class Resumption {
  private static final int MAX_CURSOR = 1024;

  private final Timing timing;
  private String cursor = "";
  private Duration base;
  private boolean retryGiven;
  private int legsWithoutEvent;

  Resumption(Timing timing) {
    this.timing = timing;
    this.base = timing.firstDelay();
  }

  /** Notes a complete event. */
  void event(SseEvent event) {
    seen(event.lastEventId());
    if (event.data().length > 0) {
      legsWithoutEvent = 0;
    }
  }

  /** Notes the last event id of a leg, which may have come without an event. */
  void seen(String id) {
    boolean fitsHeader =
        id.length() <= MAX_CURSOR && id.chars().noneMatch(c -> c < ' ' || c == 0x7f);
    if (!id.isEmpty() && !id.equals(cursor) && fitsHeader) {
      cursor = id;
      legsWithoutEvent = 0;
    }
  }

  /** Notes the server's reconnection time. */
  void retry(long millis) {
    Duration asked = Duration.ofMillis(millis);
    base = min(max(asked, timing.minRetry()), timing.maxRetry());
    retryGiven = true;
  }

  /** Whether the server named a reconnection time, which is how it asks to be polled. */
  boolean retryGiven() {
    return retryGiven;
  }

  /** The value of {@code Last-Event-ID}: the id's UTF-8 bytes, one character each. */
  Optional<String> cursor() {
    return cursor.isEmpty()
        ? Optional.empty()
        : Optional.of(new String(cursor.getBytes(UTF_8), ISO_8859_1));
  }

  /** The wait before the next attempt; it grows with each call until an event comes. */
  Duration nextDelay() {
    Duration cap = max(base, timing.maxDelay());
    Duration delay = base;
    for (int i = 0; i < legsWithoutEvent && delay.compareTo(cap) < 0; i++) {
      delay = delay.multipliedBy(2);
    }
    legsWithoutEvent++;
    return min(delay, cap);
  }

  /** A {@code Retry-After} in seconds, bounded like any reconnection time; else {@code delay}. */
  Duration notBefore(Optional<String> retryAfter, Duration delay) {
    if (retryAfter.isEmpty() || !retryAfter.get().matches("\\d{1,9}")) {
      return delay;
    }
    Duration asked = Duration.ofSeconds(Long.parseLong(retryAfter.get()));
    return max(delay, min(asked, timing.maxRetry()));
  }

  private static Duration max(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) <= 0 ? a : b;
  }
}
