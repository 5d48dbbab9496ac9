package io.fairlead.store;

import java.time.Duration;

/**
 * The bounds of the event store.
 *
 * <p>Bytes count what the heap pays: an event's data plus {@link #EVENT_OVERHEAD}, and a log's
 * {@link #LOG_OVERHEAD} against the session and the whole. A bound of 0 keeps nothing: events then
 * reach an attached reader and nobody else.
 *
 * @param maxEventsPerStream events of one stream that are kept for resuming: those behind the
 *     attached reader, or all of them while nobody is attached
 * @param maxBytesPerStream bytes of one stream's events
 * @param maxBytesPerSession bytes of one session
 * @param maxBytes bytes in all
 * @param ttl how long an ended stream is kept
 */
public record Retention(
    int maxEventsPerStream,
    long maxBytesPerStream,
    long maxBytesPerSession,
    long maxBytes,
    Duration ttl) {

  /**
   * What an event costs beside its data: the event, the head of its array, its slot (59 measured).
   */
  public static final int EVENT_OVERHEAD = 64;

  /**
   * What a log costs before its first event: the log, two lanes, name and callback (384 measured).
   */
  public static final int LOG_OVERHEAD = 384;

  public Retention {
    require(maxEventsPerStream, "maxEventsPerStream");
    require(maxBytesPerStream, "maxBytesPerStream");
    require(maxBytesPerSession, "maxBytesPerSession");
    require(maxBytes, "maxBytes");
    if (ttl.isNegative()) {
      throw new IllegalArgumentException("a time to live is not negative: ttl=" + ttl);
    }
  }

  private static void require(long bound, String name) {
    if (bound < 0) {
      throw new IllegalArgumentException("a bound is not negative: " + name + "=" + bound);
    }
  }
}
