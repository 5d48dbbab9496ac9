package io.fairlead.gateway;

import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.config.ConfigLoader;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * An application with routes of its own, and a gateway on its router.
 *
 * <p>Thread: its event loop, but for {@link #port}, {@link #gateway}, {@link #read} and {@link
 * #startIn}.
 */
final class MountedApplication extends VerticleBase {
  final GatewayVerticle gateway;
  private final List<Consumer<Router>> before = new ArrayList<>();
  private final HttpServerOptions options = new HttpServerOptions().setPort(0).setHost("127.0.0.1");
  Router router;
  private HttpServer server;

  MountedApplication(String hocon, Backend... locals) {
    StringBuilder config = new StringBuilder("shutdown.drain = 200ms\n").append(hocon).append('\n');
    for (Backend local : locals) {
      config.append("backends.").append(local.name()).append(".type = local\n");
    }
    gateway =
        GatewayVerticle.mounted(
            ConfigLoader.parse(config.toString()).orElseThrow(), List.of(locals));
  }

  /** Routes that the application adds before it mounts the gateway. */
  MountedApplication before(Consumer<Router> routes) {
    before.add(routes);
    return this;
  }

  MountedApplication host(String host) {
    options.setHost(host);
    return this;
  }

  MountedApplication port(int port) {
    options.setPort(port);
    return this;
  }

  @Override
  public Future<?> start() throws Exception {
    router = Router.router(vertx);
    before.forEach(routes -> routes.accept(router));
    return gateway
        .deploy(context)
        .compose(
            deployed -> {
              gateway.mount(router);
              gateway.mountHealth(router);
              router.get("/hello").handler(hello -> hello.end("hello"));
              server = vertx.createHttpServer(options).requestHandler(router);
              return server.listen();
            });
  }

  @Override
  public Future<?> stop() throws Exception {
    return gateway.undeploy(context);
  }

  /** Undeploys the gateway alone: the application goes on. */
  Future<?> gatewayDown() {
    Promise<Void> down = Promise.promise();
    context.runOnContext(turn -> undeploy().<Void>mapEmpty().onComplete(down));
    return down.future();
  }

  private Future<?> undeploy() {
    try {
      return gateway.undeploy(context);
    } catch (Exception e) {
      return Future.failedFuture(e);
    }
  }

  /** Deploys it, and waits until it listens. */
  MountedApplication startIn(Vertx vertx) throws Exception {
    vertx.deployVerticle(this).await(20, TimeUnit.SECONDS);
    return this;
  }

  int port() {
    return server.actualPort();
  }

  /** How many requests are in progress. */
  int connections() {
    return read(parts -> gateway.entrance().connections());
  }

  /** Reads something on the owner loop. */
  <T> T read(Function<Assembly, T> what) {
    CompletableFuture<T> read = new CompletableFuture<>();
    context.runOnContext(turn -> read.complete(what.apply(gateway.parts())));
    return read.orTimeout(10, TimeUnit.SECONDS).join();
  }
}
