package io.fairlead.gateway;

import io.fairlead.gateway.config.AuthConfig;
import io.fairlead.gateway.config.ConfigResult;
import io.fairlead.gateway.config.GatewayConfig;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the configuration once, deploys the gateway as its child, says where it listens, and has it
 * drained when the process is told to end.
 *
 * <p>Thread: its own event loop; the configuration is read on a worker.
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
    return vertx
        .executeBlocking(loading)
        .compose(
            result ->
                result.fold(
                    accepted -> deploy(accepted.config()),
                    refused -> Future.failedFuture(StartFailure.of(refused))));
  }

  private Future<Void> deploy(GatewayConfig config) {
    if (config.auth().mode() == AuthConfig.Mode.NONE && !config.listen().isLoopback()) {
      LOG.warn(
          "nobody is authenticated: whoever reaches host={} may call every tool",
          config.listen().host());
    }
    GatewayVerticle gateway = new GatewayVerticle(config);
    return vertx
        .deployVerticle(gateway)
        .recover(cause -> Future.failedFuture(StartFailure.of(cause, config)))
        .map(
            id -> {
              // before anybody can know that there is something to stop
              ShutdownHook.install(vertx, deploymentID(), config.drain());
              out.println(readyLine(config, gateway.actualPort(), gateway.instance()));
              out.flush();
              return null;
            });
  }

  private static String readyLine(GatewayConfig config, int port, String instance) {
    return "fairlead ready http://%s%s instance=%s backends=%s"
        .formatted(
            StartFailure.address(config.listen().host(), port),
            config.listen().path(),
            instance,
            String.join(",", config.backends().keySet()));
  }
}
