package io.fairlead.gateway.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Bounds of requests, calls, streams and connections, per process.
 *
 * @param body bytes of one request body
 * @param bodyTimeout how long a request body may take
 * @param depth nested arrays and objects of one message
 * @param callsPerSession calls in flight of one session
 * @param calls calls in flight in all
 * @param streamsPerSession streams of one session, ended ones that are kept included
 * @param connections open connections
 * @param connectionsPerAddress open connections of one client address, 0 for no limit of its own
 * @param streamsPerConnection exchanges at the same time on one HTTP/2 connection
 * @param failedCredentials wrong credentials of one client address within a minute, 0 for no limit
 * @param heap part of the heap above which no session is opened, measured after a collection
 * @param keepAlive silence after which a comment is written to an open stream
 * @param slowReaderTimeout how long a client may read nothing while bytes wait for it
 * @param streamAge age at which a stream's connection is closed with a retry hint; empty: never
 */
public record LimitsConfig(
    int body,
    Duration bodyTimeout,
    int depth,
    int callsPerSession,
    int calls,
    int streamsPerSession,
    int connections,
    int connectionsPerAddress,
    int streamsPerConnection,
    int failedCredentials,
    double heap,
    Duration keepAlive,
    Duration slowReaderTimeout,
    Optional<Duration> streamAge) {
  /** The largest depth that can be configured. */
  public static final int MAX_DEPTH = 1000;

  public LimitsConfig {
    new Checks()
        .atLeast("body", body, 1)
        .period("body-timeout", bodyTimeout)
        .between("depth", depth, 1, MAX_DEPTH)
        .atLeast("calls-per-session", callsPerSession, 1)
        .atLeast("calls", calls, 1)
        .atLeast("streams-per-session", streamsPerSession, 1)
        .atLeast("connections", connections, 1)
        .atLeast("connections-per-address", connectionsPerAddress, 0)
        .atLeast("streams-per-connection", streamsPerConnection, 1)
        .atLeast("failed-credentials", failedCredentials, 0)
        .rule(
            heap > 0 && heap <= 1,
            "heap",
            "is out of range, value=" + heap,
            "write a part of the heap above 0 and up to 1, as in 0.9")
        .period("keep-alive", keepAlive)
        .period("slow-reader-timeout", slowReaderTimeout)
        .rule(
            keepAlive.compareTo(slowReaderTimeout) < 0,
            List.of("keep-alive", "slow-reader-timeout"),
            "a silent stream would be cut before its first comment, keep-alive="
                + Checks.text(keepAlive)
                + " slow-reader-timeout="
                + Checks.text(slowReaderTimeout),
            "make keep-alive shorter than slow-reader-timeout")
        .period("stream-age", streamAge)
        .done();
  }
}
