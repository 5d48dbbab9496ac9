package io.fairlead.gateway.config;

import java.time.Duration;
import java.util.Optional;

/**
 * Sessions: their number and their ends.
 *
 * @param stateful whether sessions are kept; false: one exchange at a time, nothing retained
 * @param max sessions in all
 * @param maxPerPrincipal sessions of one principal, 0 for no limit of its own
 * @param idleTimeout end of a session without work and without presence
 * @param abandonTimeout end of a session with work but without presence
 * @param initializedTimeout end of a session whose client never said initialized
 * @param maxAge end of a session whatever it does, though never within a request; empty: none
 * @param maxPendingHandshakes initialize requests in progress
 * @param evictIdle whether a full gateway ends the least recently used idle session, else refuses
 */
public record SessionsConfig(
    boolean stateful,
    int max,
    int maxPerPrincipal,
    Duration idleTimeout,
    Duration abandonTimeout,
    Duration initializedTimeout,
    Optional<Duration> maxAge,
    int maxPendingHandshakes,
    boolean evictIdle) {
  public SessionsConfig {
    new Checks()
        .atLeast("max", max, 1)
        .atLeast("max-per-principal", maxPerPrincipal, 0)
        .period("idle-timeout", idleTimeout)
        .period("abandon-timeout", abandonTimeout)
        .period("initialized-timeout", initializedTimeout)
        .period("max-age", maxAge)
        .atLeast("max-pending-handshakes", maxPendingHandshakes, 1)
        .done();
  }
}
