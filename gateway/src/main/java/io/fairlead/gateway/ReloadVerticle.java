package io.fairlead.gateway;

import io.fairlead.gateway.config.ConfigChange;
import io.fairlead.gateway.config.ConfigResult;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.io.PrintStream;
import java.util.concurrent.Callable;

/**
 * Runs the gateway, and applies each good change of the configuration while it runs: when the files
 * change, and at once on SIGHUP.
 *
 * <p>Thread: its own event loop.
 */
final class ReloadVerticle extends VerticleBase {
  private final Watched watched;
  private final Callable<ConfigResult> loading;
  private final PrintStream out;
  private Launch launch;
  private Watch watch;

  /**
   * @param loading reads the configuration; may block
   * @param out gets the ready line
   */
  ReloadVerticle(Watched watched, Callable<ConfigResult> loading, PrintStream out) {
    this.watched = watched;
    this.loading = loading;
    this.out = out;
  }

  /** Completes when the gateway listens; fails with {@link StartFailure}. */
  @Override
  public Future<?> start() {
    launch = new Launch(vertx, deploymentID(), out);
    return launch
        .start(loading)
        .onSuccess(
            started -> {
              watch = new Watch(vertx, watched, loading, started, this::applied);
              Signals.onHangup(() -> context.runOnContext(now -> watch.reload()));
              launch.announce(started);
            });
  }

  private void applied(ConfigChange change) {
    Launch.warn(change.effective());
    if (change.changes("shutdown")) {
      launch.drainsWithin(change.effective().drain());
    }
  }

  @Override
  public Future<?> stop() {
    return watch == null ? Future.succeededFuture() : watch.close();
  }
}
