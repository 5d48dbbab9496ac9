package io.fairlead.gateway.http;

import io.fairlead.gateway.config.GatewayConfig;
import io.fairlead.gateway.config.ListenConfig;
import io.fairlead.gateway.session.Services;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.ext.web.Router;
import java.time.Duration;

/**
 * The gateway's own HTTP server, whose connections run on the loop that it was made on.
 *
 * <p>Thread: owner loop. Owner: the gateway verticle.
 */
public final class Listener implements Entrance {
  private static final Duration GRACE = Duration.ofMillis(500);
  private static final int MAX_HEADER = 16 * 1024;
  private static final int TCP_USER_TIMEOUT_MILLIS = 60_000;

  /** Who listens where, in this Vertx. */
  private static final String ADDRESSES = "io.fairlead.listeners";

  private final GatewayConfig config;
  private final Connections connections;
  private final LocalMap<String, String> addresses;
  private final String address;
  private final String instance;
  private final HttpServer server;

  public Listener(Services services, Front front) {
    Vertx vertx = services.loop().vertx();
    config = services.config();
    connections =
        new Connections(
            services.loop(), () -> services.config().limits().connections(), services.metrics());
    addresses = vertx.sharedData().getLocalMap(ADDRESSES);
    address = config.listen().host() + ":" + config.listen().port();
    instance = services.instance();
    server = vertx.createHttpServer(options(config.listen(), vertx.isNativeTransportEnabled()));
    Router router = Router.router(vertx);
    front.mount(router);
    server.connectionHandler(connections::opened);
    server.requestHandler(
        request -> {
          connections.begin(request);
          router.handle(request);
        });
  }

  private static HttpServerOptions options(ListenConfig listen, boolean nativeTransport) {
    return new HttpServerOptions()
        .setHost(listen.host())
        .setPort(listen.port())
        .setHttp2ClearTextEnabled(false)
        .setMaxHeaderSize(MAX_HEADER)
        .setTcpUserTimeout(nativeTransport ? TCP_USER_TIMEOUT_MILLIS : 0)
        .setTcpKeepAlive(true);
  }

  /**
   * Listens. Vert.x would deal connections out among all servers of the same address, and a session
   * is known to one gateway alone: a second one there is refused.
   */
  @Override
  public Future<Void> open() {
    boolean exclusive = config.listen().port() != 0 && config.sessions().stateful();
    if (exclusive && addresses.putIfAbsent(address, instance) != null) {
      return Future.failedFuture(
          new IllegalStateException(
              "listen="
                  + address
                  + " is taken by another gateway in this Vertx, which would get half of the"
                  + " connections; give each a port, deploy one instance, or say"
                  + " sessions.mode=stateless"));
    }
    return server.listen().<Void>mapEmpty().onFailure(failure -> release());
  }

  private void release() {
    addresses.removeIfPresent(address, instance);
  }

  @Override
  public int port() {
    return server.actualPort();
  }

  @Override
  public int connections() {
    return connections.open();
  }

  @Override
  public Future<Void> close() {
    return server
        .shutdown(GRACE)
        .onComplete(
            down -> {
              release();
              connections.close();
            });
  }
}
