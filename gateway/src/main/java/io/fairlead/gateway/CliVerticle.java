package io.fairlead.gateway;

import io.fairlead.gateway.config.ConfigResult;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the gateway with the configuration as it is when the process starts.
 *
 * <p>Thread: its own event loop.
 */
final class CliVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(CliVerticle.class);

  private final Callable<ConfigResult> loading;
  private final PrintStream out;

  /**
   * @param loading reads the configuration; may block
   * @param out gets the ready line
   */
  CliVerticle(Callable<ConfigResult> loading, PrintStream out) {
    this.loading = loading;
    this.out = out;
  }

  /** Completes when the gateway listens; fails with {@link StartFailure}. */
  @Override
  public Future<?> start() {
    Launch launch = new Launch(vertx, deploymentID(), out);
    return launch
        .start(loading)
        .onSuccess(
            started -> {
              Signals.onHangup(CliVerticle::hangUp);
              launch.announce(started);
            });
  }

  /** As a process usually ends on this signal, with a word for who expected a reload. */
  private static void hangUp() {
    LOG.info("SIGHUP ends the gateway; with --watch it would apply the configuration");
    Runtime.getRuntime().exit(ExitCode.OK);
  }
}
