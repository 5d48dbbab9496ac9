package io.fairlead.gateway.config;

import java.time.Duration;

/**
 * What is kept for clients that resume.
 *
 * @param ttl how long an ended stream is kept
 * @param maxBytes bytes in all
 * @param maxBytesPerSession bytes of one session
 * @param maxBytesPerStream bytes of one stream
 * @param maxEventsPerStream events of one stream
 * @param retry the reconnection time that clients are told
 * @param priming whether streams are primed for clients of 2025-11-25
 */
public record EventsConfig(
    Duration ttl,
    long maxBytes,
    long maxBytesPerSession,
    long maxBytesPerStream,
    int maxEventsPerStream,
    Duration retry,
    boolean priming) {}
