package io.fairlead.gateway;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process on SIGTERM and SIGINT: undeploys everything, which drains the gateway, and exits
 * with 0. A second signal exits at once.
 *
 * <p>Thread: {@link #install} and {@link #remove} the main thread; the rest the JVM's shutdown,
 * where blocking is in place.
 */
final class ShutdownHook {
  private static final Logger LOG = LoggerFactory.getLogger(ShutdownHook.class);

  /** What closing the rest may take after the drain. */
  private static final Duration CLOSE = Duration.ofMillis(1500);

  private final Vertx vertx;
  private final Supplier<Duration> drain;
  private final Thread thread = new Thread(this::run, "shutdown");

  /**
   * @param drain how long undeploying may take
   */
  ShutdownHook(Vertx vertx, Supplier<Duration> drain) {
    this.vertx = vertx;
    this.drain = drain;
  }

  void install() {
    Runtime.getRuntime().addShutdownHook(thread);
  }

  /**
   * @return whether it will not run; else the process is ending already
   */
  boolean remove() {
    try {
      return Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException ending) {
      return false;
    }
  }

  private void run() {
    // the JVM's own handler would wait for this hook, so a second signal would change nothing
    Signals.onNext(() -> Runtime.getRuntime().halt(ExitCode.OTHER));
    // a signal alone ends a JVM with 128 and its number, unless a hook says otherwise
    Runtime.getRuntime().halt(close());
  }

  private int close() {
    long bound = drain.get().plus(CLOSE).toMillis();
    LOG.info("stopping drain={}s", drain.get().toSeconds());
    try {
      vertx.close().await(bound, TimeUnit.MILLISECONDS);
      LOG.info("stopped");
      return ExitCode.OK;
    } catch (TimeoutException e) {
      LOG.warn("did not stop in time, ends anyway bound={}ms", bound);
      return ExitCode.OTHER;
    } catch (RuntimeException e) {
      LOG.error("failed to stop", e);
      return ExitCode.OTHER;
    }
  }
}
