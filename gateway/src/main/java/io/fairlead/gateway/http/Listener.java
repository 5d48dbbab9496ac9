package io.fairlead.gateway.http;

import io.fairlead.gateway.config.GatewayConfig;
import io.fairlead.gateway.session.Services;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.ext.web.Router;
import java.time.Duration;
import java.util.Optional;

/**
 * The gateway's own HTTP server, whose connections run on the loop that it was made on.
 *
 * <p>Thread: owner loop. Owner: the gateway verticle.
 */
public final class Listener implements Entrance {
  private static final Duration GRACE = Duration.ofMillis(500);

  /** Who listens where, in this Vertx. */
  private static final String ADDRESSES = "io.fairlead.listeners";

  private final GatewayConfig config;
  private final Connections connections;
  private final LocalMap<String, String> addresses;
  private final String address;
  private final String instance;
  private final Vertx vertx;
  private final Front front;
  private final Router router;
  private Optional<HttpServer> server = Optional.empty();

  public Listener(Services services, Front front) {
    vertx = services.loop().vertx();
    config = services.config();
    connections =
        new Connections(services.loop(), () -> services.config().limits(), services.metrics());
    addresses = vertx.sharedData().getLocalMap(ADDRESSES);
    address = config.listen().host() + ":" + config.listen().port();
    instance = services.instance();
    this.front = front;
    router = Router.router(vertx);
    front.mount(router);
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
    return ServerOptions.of(vertx, config)
        .compose(this::listen)
        .<Void>mapEmpty()
        .onFailure(failure -> release());
  }

  private Future<HttpServer> listen(HttpServerOptions options) {
    HttpServer made = vertx.createHttpServer(options);
    made.connectionHandler(connections::opened);
    made.invalidRequestHandler(front::unreadable);
    made.requestHandler(
        request -> {
          connections.begin(request);
          if (HttpMethod.CONNECT.equals(request.method())) {
            // with HTTP/2 it has neither scheme nor path, and the router cannot do without
            front.refuse(request, Refusals.malformedTarget());
          } else {
            router.handle(request);
          }
        });
    server = Optional.of(made);
    return made.listen();
  }

  private void release() {
    addresses.removeIfPresent(address, instance);
  }

  @Override
  public int port() {
    return server.map(HttpServer::actualPort).orElse(0);
  }

  @Override
  public int connections() {
    return connections.open();
  }

  @Override
  public int connectionsOfOneAddress() {
    return connections.ofOneAddress();
  }

  @Override
  public Future<Void> close() {
    return server
        .map(made -> made.shutdown(GRACE))
        .orElse(Future.succeededFuture())
        .onComplete(
            down -> {
              release();
              connections.close();
            });
  }
}
