package io.fairlead.store;

import java.time.Duration;

/**
 * The bounds of the event store; bytes count an event's data and its overhead.
 *
 * @param maxEventsPerStream events of one stream that are kept for resuming
 * @param maxBytesPerStream bytes of one stream
 * @param maxBytesPerSession bytes of one session
 * @param maxBytes bytes in all
 * @param ttl how long an ended stream is kept
 */
public record Retention(
    int maxEventsPerStream,
    long maxBytesPerStream,
    long maxBytesPerSession,
    long maxBytes,
    Duration ttl) {}
