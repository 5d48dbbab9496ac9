package io.fairlead.gateway;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.auth.Authenticator;
import io.fairlead.gateway.auth.Authenticators;
import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.config.ConfigChange;
import io.fairlead.gateway.config.GatewayConfig;
import io.fairlead.gateway.config.Version;
import io.fairlead.gateway.http.Entrance;
import io.fairlead.gateway.http.Front;
import io.fairlead.gateway.http.Health;
import io.fairlead.gateway.http.Listener;
import io.fairlead.gateway.http.Mount;
import io.fairlead.gateway.observe.ManagementServer;
import io.fairlead.gateway.observe.PrometheusMetrics;
import io.fairlead.gateway.session.OwnerLoop;
import io.fairlead.gateway.session.Session;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The gateway: one event loop that owns sessions, calls, streams and the event store, and on which
 * every connection is served. It listens on a port of its own, or is mounted on a router of the
 * application. Undeploying it drains: no new calls, those in flight finish within {@code
 * shutdown.drain}, and every stream ends properly.
 *
 * <p>Each is deployed once, as one instance; several beside each other are apart in everything.
 *
 * <p>Thread: {@link #actualPort}, {@link #instance} and {@link #apply} any, after it was deployed;
 * {@link #mount} and {@link #mountHealth} the event loop of the verticle.
 */
public final class GatewayVerticle extends VerticleBase {
  private static final Duration DRAIN_POLL = Duration.ofMillis(20);

  private final GatewayConfig config;
  private final List<Backend> locals;
  private final boolean listens;
  private final String instance = Instances.newId();
  private Reconfiguration reconfiguration;
  private Assembly parts;
  private Entrance entrance;
  private Optional<ManagementServer> management = Optional.empty();
  private boolean started;
  private boolean draining;

  /** A gateway with the configured backends, on the configured port. */
  public GatewayVerticle(GatewayConfig config) {
    this(config, List.of());
  }

  /**
   * A gateway with the configured backends and, in the place of configured local ones, tools of the
   * application; on the configured port.
   */
  public GatewayVerticle(GatewayConfig config, List<? extends Backend> locals) {
    this(config, locals, true);
  }

  private GatewayVerticle(GatewayConfig config, List<? extends Backend> locals, boolean listens) {
    this.config = config;
    this.locals = List.copyOf(locals);
    this.listens = listens;
  }

  /**
   * A gateway without a port of its own, for {@link #mount}. It belongs into the verticle whose
   * HTTP server it is reached through, on the same event loop: that verticle calls {@code
   * gateway.deploy(context)} when it starts, and returns {@code gateway.undeploy(context)} when it
   * stops.
   */
  public static GatewayVerticle mounted(GatewayConfig config, List<? extends Backend> locals) {
    return new GatewayVerticle(config, locals, false);
  }

  /**
   * Serves the MCP endpoint at {@code listen.path}, each backend below it, and who protects them,
   * as routes of the application; they are removed when the gateway is undeployed. To be called
   * after it was deployed, before any {@code BodyHandler} is added, on the root router.
   *
   * @throws IllegalStateException before that, after it was undeployed, for a gateway that has a
   *     port of its own, or on another thread than the gateway's
   */
  public void mount(Router router) {
    routes().add(router);
  }

  /** Serves {@code /healthz} and {@code /readyz} likewise. */
  public void mountHealth(Router router) {
    routes().addHealth(router);
  }

  private Mount routes() {
    if (entrance instanceof Mount mount) {
      return mount;
    }
    throw new IllegalStateException(
        listens
            ? "this gateway has a port of its own; make one with GatewayVerticle.mounted"
            : "the gateway is not deployed yet; mount it when deploy has completed");
  }

  /** The port that it listens on; 0 if it is mounted. */
  public int actualPort() {
    return entrance.port();
  }

  /** This run's id, as in the header {@code Fairlead-Instance}. */
  public String instance() {
    return instance;
  }

  /**
   * Puts another configuration in force while it runs, in one turn of its loop: backends that stay
   * the same keep their connections, those that go finish their calls within {@code
   * shutdown.drain}, and sessions, calls and waiting results survive. Keys that only a start reads
   * keep their values, and {@link ConfigChange#needRestart} names them. Thread: any, after it was
   * deployed.
   *
   * @return what has changed, on the caller's context; fails, and then nothing has, with {@link
   *     IllegalArgumentException} if the configuration cannot be used, or with {@link
   *     io.fairlead.gateway.auth.AuthUnavailable} if tokens could not be checked by it
   */
  public Future<ConfigChange> apply(GatewayConfig next) {
    Context caller = vertx.getOrCreateContext();
    Promise<ConfigChange> applied = Promise.promise();
    context.runOnContext(
        now ->
            applyHere(next)
                .onComplete(result -> caller.runOnContext(then -> applied.handle(result))));
    return applied.future();
  }

  private Future<ConfigChange> applyHere(GatewayConfig next) {
    return reconfiguration == null
        ? Future.failedFuture(
            new IllegalStateException(
                "the gateway does not serve yet; apply a change when its deployment has completed"))
        : reconfiguration.apply(next);
  }

  /** How often a watched configuration is read. Thread: any. */
  Duration reloadPeriod() {
    return config.reloadPeriod();
  }

  /** Counts a configuration that was refused before it could be applied. Thread: any. */
  void refused() {
    context.runOnContext(now -> reconfiguration.refused());
  }

  /** What it is made of; for tests of the same package. */
  Assembly parts() {
    return parts;
  }

  /** Where its requests come in; for tests of the same package. */
  Entrance entrance() {
    return entrance;
  }

  @Override
  public Future<?> start() {
    if (started) {
      return refused("this gateway was deployed before; make a new one for each deployment");
    }
    if (!context.isEventLoopContext() || Vertx.currentContext() != context) {
      return refused(
          "a gateway lives on an event loop, thread="
              + Thread.currentThread().getName()
              + "; deploy it with ThreadingModel.EVENT_LOOP, and call deploy(context) in start() of"
              + " such a verticle");
    }
    started = true;
    return Authenticators.open(vertx, config).compose(this::start);
  }

  private static Future<?> refused(String text) {
    return Future.failedFuture(new IllegalStateException(text));
  }

  private Future<?> start(Authenticator opened) {
    parts = new Assembly(vertx, config, locals, instance);
    Health health = new Health(parts.services().catalog(), instance, Version.TEXT, () -> draining);
    Front front =
        new Front(
            parts.services(), parts.sessions(), parts.readiness(), health, opened, () -> draining);
    reconfiguration = new Reconfiguration(vertx, parts, front, opened, () -> draining);
    entrance = listens ? new Listener(parts.services(), front) : new Mount(parts.services(), front);
    Gauges.register(parts, front, entrance);
    return entrance
        .open()
        .compose(listening -> openManagement())
        .<Void>mapEmpty()
        .onSuccess(ready -> parts.services().catalog().start())
        .recover(failure -> release().transform(released -> Future.failedFuture(failure)));
  }

  private Future<?> openManagement() {
    if (!(parts.services().metrics() instanceof PrometheusMetrics metrics)) {
      return Future.succeededFuture();
    }
    return ManagementServer.open(vertx, config.management(), metrics)
        .onSuccess(opened -> management = Optional.of(opened))
        .recover(cause -> Future.failedFuture(new ManagementFailure(config.management(), cause)));
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
        .eventually(this::release);
  }

  /** Lets go of ports, routes, timers and links. */
  private Future<Void> release() {
    return entrance
        .close()
        .eventually(() -> management.map(ManagementServer::close).orElse(Future.succeededFuture()))
        .eventually(reconfiguration::close)
        .eventually(parts::close);
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
    OwnerLoop.Timer limit = loop.after(parts.services().config().drain(), quiet::tryComplete);
    return quiet
        .future()
        .onComplete(
            done -> {
              poll.cancel();
              limit.cancel();
            });
  }
}
