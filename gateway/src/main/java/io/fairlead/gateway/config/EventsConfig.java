package io.fairlead.gateway.config;

import java.time.Duration;
import java.util.List;

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
    boolean priming) {
  public EventsConfig {
    new Checks()
        .period("ttl", ttl)
        .between("max-bytes", maxBytes, 1, Long.MAX_VALUE)
        .between("max-bytes-per-session", maxBytesPerSession, 1, Long.MAX_VALUE)
        .between("max-bytes-per-stream", maxBytesPerStream, 1, Long.MAX_VALUE)
        .atLeast("max-events-per-stream", maxEventsPerStream, 1)
        .period("retry", retry)
        .rule(
            retry.compareTo(ttl) < 0,
            List.of("retry", "ttl"),
            "a client that waits as it is told comes too late, retry="
                + Checks.text(retry)
                + " ttl="
                + Checks.text(ttl),
            "make retry shorter than ttl")
        .done();
  }
}
