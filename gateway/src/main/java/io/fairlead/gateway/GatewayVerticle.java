package io.fairlead.gateway;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.auth.Authenticator;
import io.fairlead.gateway.auth.Authenticators;
import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.config.GatewayConfig;
import io.fairlead.gateway.config.ListenConfig;
import io.fairlead.gateway.config.Version;
import io.fairlead.gateway.http.Connections;
import io.fairlead.gateway.http.Front;
import io.fairlead.gateway.http.Health;
import io.fairlead.gateway.observe.ManagementServer;
import io.fairlead.gateway.observe.PrometheusMetrics;
import io.fairlead.gateway.session.OwnerLoop;
import io.fairlead.gateway.session.Session;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The gateway: one event loop that owns sessions, calls, streams and the event store, and the HTTP
 * server whose connections run on that same loop. Undeploying it drains: no new calls, those in
 * flight finish within {@code shutdown.drain}, and every stream ends properly.
 *
 * <p>Thread: {@link #actualPort} and {@link #instance} any, after it was deployed.
 */
public final class GatewayVerticle extends VerticleBase {
  private static final Duration DRAIN_POLL = Duration.ofMillis(20);
  private static final Duration SERVER_GRACE = Duration.ofMillis(500);
  private static final int MAX_HEADER = 16 * 1024;
  private static final int TCP_USER_TIMEOUT_MILLIS = 60_000;

  private final GatewayConfig config;
  private final List<Backend> locals;
  private final String instance = Instances.newId();
  private Authenticator authenticator;
  private Assembly parts;
  private Connections connections;
  private HttpServer server;
  private Optional<ManagementServer> management = Optional.empty();
  private boolean draining;

  /** A gateway with the configured backends. */
  public GatewayVerticle(GatewayConfig config) {
    this(config, List.of());
  }

  /**
   * A gateway with the configured backends and, in the place of configured local ones, tools of the
   * application.
   */
  public GatewayVerticle(GatewayConfig config, List<? extends Backend> locals) {
    this.config = config;
    this.locals = List.copyOf(locals);
  }

  /** The port that it listens on. */
  public int actualPort() {
    return server.actualPort();
  }

  /** This run's id, as in the header {@code Fairlead-Instance}. */
  public String instance() {
    return instance;
  }

  /** What it is made of; for tests of the same package. */
  Assembly parts() {
    return parts;
  }

  @Override
  public Future<?> start() {
    return Authenticators.open(vertx, config).compose(this::start);
  }

  private Future<?> start(Authenticator opened) {
    authenticator = opened;
    parts = new Assembly(vertx, config, locals, instance);
    connections =
        new Connections(
            parts.services().loop(), config.limits().connections(), parts.services().metrics());
    Health health =
        new Health(
            parts.services().catalog(),
            config.backends().keySet(),
            instance,
            Version.TEXT,
            () -> draining);
    Front front =
        new Front(
            parts.services(),
            parts.sessions(),
            parts.readiness(),
            health,
            authenticator,
            () -> draining);
    Gauges.register(parts, front, connections);
    Router router = Router.router(vertx);
    front.mount(router);
    server = vertx.createHttpServer(options(config.listen()));
    server.connectionHandler(connections::opened);
    server.requestHandler(
        request -> {
          connections.begin(request);
          router.handle(request);
        });
    return server
        .listen()
        .compose(listening -> openManagement())
        .onSuccess(ready -> parts.services().catalog().start());
  }

  private HttpServerOptions options(ListenConfig listen) {
    return new HttpServerOptions()
        .setHost(listen.host())
        .setPort(listen.port())
        .setHttp2ClearTextEnabled(false)
        .setMaxHeaderSize(MAX_HEADER)
        .setTcpUserTimeout(vertx.isNativeTransportEnabled() ? TCP_USER_TIMEOUT_MILLIS : 0)
        .setTcpKeepAlive(true);
  }

  private Future<?> openManagement() {
    if (!(parts.services().metrics() instanceof PrometheusMetrics metrics)) {
      return Future.succeededFuture();
    }
    return ManagementServer.open(vertx, config.management(), metrics)
        .onSuccess(opened -> management = Optional.of(opened));
  }

  @Override
  public Future<?> stop() {
    if (parts == null) {
      return Future.succeededFuture();
    }
    draining = true;
    parts.sessions().all().forEach(Session::pollStandalone);
    return untilNoCallRuns()
        .compose(
            nothing -> {
              parts
                  .sessions()
                  .abortCalls(
                      new Outcome(
                          Outcome.State.UNKNOWN,
                          "draining",
                          "The gateway shut down before the call was answered. It may or may not"
                              + " have run; check what it did before calling again."));
              return parts.sessions().closeAll("shutdown");
            })
        .compose(closed -> server.shutdown(SERVER_GRACE))
        .eventually(() -> management.map(ManagementServer::close).orElse(Future.succeededFuture()))
        .eventually(authenticator::close)
        .eventually(this::closeParts);
  }

  private Future<Void> closeParts() {
    connections.close();
    return parts.close();
  }

  /** Completes when the last call has ended, or when the time for that is over. */
  private Future<Void> untilNoCallRuns() {
    OwnerLoop loop = parts.services().loop();
    Promise<Void> quiet = Promise.promise();
    OwnerLoop.Timer poll =
        loop.every(
            DRAIN_POLL,
            () -> {
              if (parts.services().tally().calls() == 0) {
                quiet.tryComplete();
              }
            });
    OwnerLoop.Timer limit = loop.after(config.drain(), quiet::tryComplete);
    return quiet
        .future()
        .onComplete(
            done -> {
              poll.cancel();
              limit.cancel();
            });
  }
}
