package io.fairlead.gateway;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process on SIGTERM and SIGINT: undeploys everything, which drains the gateway, and exits
 * with 0. A second signal exits at once.
 *
 * <p>Thread: {@link #install} and {@link #remove} any; the rest the JVM's shutdown, where blocking
 * is in place.
 */
final class ShutdownHook {
  private static final Logger LOG = LoggerFactory.getLogger(ShutdownHook.class);

  /** What closing the rest may take after the drain. */
  private static final Duration CLOSE = Duration.ofMillis(1500);

  private final Vertx vertx;
  private final String deployment;
  private final Duration drain;
  private final Thread thread = new Thread(this::run, "shutdown");

  private ShutdownHook(Vertx vertx, String deployment, Duration drain) {
    this.vertx = vertx;
    this.deployment = deployment;
    this.drain = drain;
  }

  /**
   * @param deployment what is undeployed first, while everything else still works
   * @param drain how long that may take
   */
  static ShutdownHook install(Vertx vertx, String deployment, Duration drain) {
    ShutdownHook hook = new ShutdownHook(vertx, deployment, drain);
    try {
      Runtime.getRuntime().addShutdownHook(hook.thread);
    } catch (IllegalStateException ending) {
      LOG.debug("the process ends already", ending);
    }
    return hook;
  }

  /** Another one takes its place; without effect once the process ends. */
  void remove() {
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException ending) {
      LOG.debug("the process ends already", ending);
    }
  }

  private void run() {
    // the JVM's own handler would wait for this hook, so a second signal would change nothing
    Signals.onNext(() -> Runtime.getRuntime().halt(ExitCode.OTHER));
    // a signal alone ends a JVM with 128 and its number, unless a hook says otherwise
    Runtime.getRuntime().halt(close());
  }

  private int close() {
    LOG.info("stopping drain={}", drain);
    long end = System.nanoTime() + drain.plus(CLOSE).toNanos();
    try {
      undeploy(end);
      // not composed: a future that follows from the first would need a loop that close ends
      await(vertx.close(), end);
      LOG.info("stopped");
      return ExitCode.OK;
    } catch (TimeoutException e) {
      LOG.warn("did not stop in time, ends anyway, bound={}", drain.plus(CLOSE));
    } catch (RuntimeException e) {
      LOG.error("failed to stop", e);
    }
    return ExitCode.OTHER;
  }

  private void undeploy(long end) throws TimeoutException {
    try {
      await(vertx.undeploy(deployment), end);
    } catch (IllegalStateException notThereYet) {
      // it serves already and is still being deployed; closing all drains it too
      LOG.debug("could not undeploy", notThereYet);
    }
  }

  private static void await(Future<?> future, long end) throws TimeoutException {
    future.await(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
  }
}
