package io.fairlead.gateway.interop;

import io.fairlead.gateway.GatewayVerticle;
import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.config.ConfigLoader;
import io.vertx.core.Vertx;
import java.util.List;

/**
 * A gateway that is embedded in the test, on a free port of loopback.
 *
 * <p>Thread: any. Owner: the test.
 */
final class EmbeddedGateway implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final GatewayVerticle gateway;

  private EmbeddedGateway(String hocon, Backend... local) {
    String config = hocon + "\nlisten.port = 0, shutdown.drain = 1s\n";
    this.gateway = new GatewayVerticle(ConfigLoader.parse(config).orElseThrow(), List.of(local));
  }

  /** Starts it with a configuration, whose port is replaced. */
  static EmbeddedGateway start(String hocon, Backend... local) {
    EmbeddedGateway started = new EmbeddedGateway(hocon, local);
    started.vertx.deployVerticle(started.gateway).await();
    return started;
  }

  int port() {
    return gateway.actualPort();
  }

  /** Where all its backends are offered. */
  String url() {
    return "http://127.0.0.1:" + port() + "/mcp";
  }

  /** Where one backend is offered alone. */
  String url(String backend) {
    return url() + "/" + backend;
  }

  @Override
  public void close() {
    vertx.close().await();
  }
}
