package io.fairlead.gateway.session;

import java.time.Duration;

/**
 * Counts the resumes of one ended stream that find nothing new: stock clients loop on an empty 200.
 *
 * <p>Thread: owner loop. Owner: {@link RequestStream}.
 */
final class EmptyResumes {
  private static final long WINDOW_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int MAX = 10;

  private int count;
  private long sinceNanos;

  /** Counts one; whether it comes too soon after too many others. */
  boolean oneMoreIsTooMany() {
    long now = System.nanoTime();
    if (count == 0 || now - sinceNanos > WINDOW_NANOS) {
      count = 0;
      sinceNanos = now;
    }
    return ++count > MAX;
  }
}
