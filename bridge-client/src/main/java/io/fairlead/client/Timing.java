package io.fairlead.client;

import java.time.Duration;

/**
 * The waits of a link. None of them bounds a call that was sent: that waits for its answer.
 *
 * @param firstDelay wait before the first attempt to resume, if the server named none
 * @param maxDelay the wait doubles up to this while attempts bring no event
 * @param minRetry the least reconnection time that a server can ask for
 * @param maxRetry the greatest reconnection time that a server can ask for
 * @param refused for how long connections are refused until the server counts as gone, and for how
 *     long then a call without a response may still be refused by the run that follows
 * @param handshake bound of {@code initialize}
 * @param write bound of writing one request
 * @param probe bound of one ping
 * @param close bound of closing a link
 */
public record Timing(
    Duration firstDelay,
    Duration maxDelay,
    Duration minRetry,
    Duration maxRetry,
    Duration refused,
    Duration handshake,
    Duration write,
    Duration probe,
    Duration close) {
  public static final Timing DEFAULT =
      new Timing(
          Duration.ofMillis(250),
          Duration.ofSeconds(10),
          Duration.ofMillis(50),
          Duration.ofSeconds(60),
          Duration.ofMillis(1200),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          Duration.ofSeconds(2),
          Duration.ofSeconds(2));
}
