package io.fairlead.gateway.backend;

import io.fairlead.gateway.observe.Metrics;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices code of the application that keeps the event loop: while it runs, nobody is served. It is
 * counted each time, and said with the name of the tool, at most once in ten seconds.
 *
 * <p>Thread: owner loop. Owner: {@link LocalBackend}.
 */
final class LoopWatch {
  static final Duration LONG = Duration.ofMillis(100);
  static final Duration SILENCE = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(LocalBackend.class);

  private final String backend;
  private final Metrics metrics;
  private final LongSupplier clock;
  private long saidAt;
  private boolean said;
  private long unsaid;

  /**
   * @param clock nanoseconds
   */
  LoopWatch(String backend, Metrics metrics, LongSupplier clock) {
    this.backend = backend;
    this.metrics = metrics;
    this.clock = clock;
  }

  /** Runs one turn of the application's code. */
  <T> T run(String what, Supplier<T> code) {
    long begun = clock.getAsLong();
    try {
      return code.get();
    } finally {
      long now = clock.getAsLong();
      if (now - begun > LONG.toNanos()) {
        blocked(what, Duration.ofNanos(now - begun), now);
      }
    }
  }

  private void blocked(String what, Duration time, long now) {
    metrics.count("loop_blocked");
    if (said && now - saidAt < SILENCE.toNanos()) {
      unsaid++;
      return;
    }
    LOG.warn(
        "backend={} {} kept the event loop for ms={}, and nobody was served meanwhile; return a"
            + " Future at once, and run such work in vertx.executeBlocking or on a virtual thread"
            + " (more of it since the last line: {})",
        backend,
        what,
        time.toMillis(),
        unsaid);
    said = true;
    saidAt = now;
    unsaid = 0;
  }
}
