package io.fairlead.gateway;

import io.fairlead.gateway.config.AuthConfig;
import io.fairlead.gateway.config.ConfigResult;
import io.fairlead.gateway.config.GatewayConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a gateway for a command line: deploys it as a child of the calling verticle, says where it
 * listens, and has it drained when the process is told to end.
 *
 * <p>Thread: the event loop of that verticle; the configuration is read on a worker.
 */
final class Launch {
  private static final Logger LOG = LoggerFactory.getLogger(Launch.class);

  /** A gateway that listens, and its configuration. */
  record Started(GatewayVerticle gateway, ConfigResult.Accepted configuration) {}

  private final Vertx vertx;
  private final String deployment;
  private final PrintStream out;
  private Optional<ShutdownHook> hook = Optional.empty();

  /**
   * @param deployment the calling verticle's id
   * @param out gets the ready line
   */
  Launch(Vertx vertx, String deployment, PrintStream out) {
    this.vertx = vertx;
    this.deployment = deployment;
    this.out = out;
  }

  /**
   * Reads the configuration and starts.
   *
   * @return the gateway, when it listens, and what it was started with; fails with {@link
   *     StartFailure} where the cause is known
   */
  Future<Started> start(Callable<ConfigResult> loading) {
    return vertx
        .executeBlocking(loading)
        .compose(
            result ->
                result.fold(
                    accepted ->
                        deploy(accepted.config()).map(gateway -> new Started(gateway, accepted)),
                    refused -> Future.failedFuture(StartFailure.of(refused))));
  }

  private Future<GatewayVerticle> deploy(GatewayConfig config) {
    warn(config);
    GatewayVerticle gateway = new GatewayVerticle(config);
    return vertx
        .deployVerticle(gateway)
        .recover(cause -> Future.failedFuture(StartFailure.of(cause, config)))
        .map(
            id -> {
              drainsWithin(config.drain());
              return gateway;
            });
  }

  /** Says that it serves: from now on somebody may know that there is something to signal. */
  void announce(Started started) {
    GatewayVerticle gateway = started.gateway();
    GatewayConfig config = started.configuration().config();
    out.println(readyLine(config, gateway.actualPort(), gateway.instance()));
    out.flush();
  }

  /** Says what an operator should know of a configuration that is good. */
  static void warn(GatewayConfig config) {
    if (config.auth().mode() == AuthConfig.Mode.NONE && !config.listen().isLoopback()) {
      LOG.warn(
          "nobody is authenticated: whoever reaches host={} may call every tool",
          config.listen().host());
    }
  }

  /** How long calls may go on once the process is told to end. */
  void drainsWithin(Duration drain) {
    hook.ifPresent(ShutdownHook::remove);
    hook = Optional.of(ShutdownHook.install(vertx, deployment, drain));
  }

  private static String readyLine(GatewayConfig config, int port, String instance) {
    return "fairlead ready %s://%s%s instance=%s backends=%s"
        .formatted(
            config.listen().scheme(),
            StartFailure.address(config.listen().host(), port),
            config.listen().path(),
            instance,
            String.join(",", config.backends().keySet()));
  }
}
