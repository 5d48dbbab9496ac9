package io.fairlead.gateway.http;

import io.fairlead.gateway.auth.Authenticator;
import io.fairlead.gateway.auth.FailedCredentials;
import io.fairlead.gateway.config.HeapShare;
import io.fairlead.gateway.config.LimitsConfig;
import io.fairlead.gateway.observe.AccessLog;
import io.fairlead.gateway.observe.KeyedHash;
import io.fairlead.gateway.session.HeapGuard;
import io.fairlead.gateway.session.Readiness;
import io.fairlead.gateway.session.Services;
import io.fairlead.gateway.session.Sessions;
import io.fairlead.wire.Headers;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway's HTTP surface as routes of a vertx-web router: the MCP endpoint, each backend's own
 * endpoint, the two health pages, and who protects the endpoint.
 *
 * <p>Thread: owner loop. Owner: the gateway verticle.
 */
public final class Front {
  private static final Logger LOG = LoggerFactory.getLogger(Front.class);

  /** Bodies of the largest size that may be in memory at once, if there is memory for them. */
  private static final int BODIES = 64;

  private final Services services;
  private final McpEndpoint endpoint;
  private final Health health;
  private final MetadataPage metadata;
  private final Guards guards;
  private final BodyReader bodies;
  private final HeapGuard heap;
  private final FailedCredentials failures;

  public Front(
      Services services,
      Sessions sessions,
      Readiness readiness,
      Health health,
      Authenticator authenticator,
      BooleanSupplier draining) {
    LimitsConfig limits = services.config().limits();
    this.services = services;
    this.health = health;
    this.bodies =
        new BodyReader(
            services.loop().vertx(), limits.body(), limits.bodyTimeout(), budget(limits));
    this.heap =
        HeapGuard.ofProcess(services.loop().vertx(), () -> services.config().limits().heap());
    this.failures = new FailedCredentials(() -> services.config().limits().failedCredentials());
    Handshake handshake = new Handshake(services, sessions, readiness, heap);
    this.guards = new Guards(services.config().listen(), authenticator);
    this.metadata = new MetadataPage(guards, services.catalog()::knows);
    this.endpoint =
        new McpEndpoint(
            services,
            sessions,
            guards,
            new AccessLog(new KeyedHash()),
            new PostHandler(services, sessions, handshake, bodies, draining),
            new GetHandler(services, sessions, draining),
            failures);
  }

  /** The configuration that holds has changed; {@code authenticator} is the one that follows. */
  public void configured(Authenticator authenticator) {
    LimitsConfig limits = services.config().limits();
    bodies.limit(limits.body(), limits.bodyTimeout(), budget(limits));
    guards.replace(services.config().listen(), authenticator);
  }

  private static long budget(LimitsConfig limits) {
    long share = Math.max(limits.body(), HeapShare.bytes());
    return Math.min((long) limits.body() * BODIES, share);
  }

  /** Makes {@code router} the gateway's own: its routes, and answers for all else. */
  void mount(Router router) {
    router.errorHandler(404, context -> refuse(context, Refusals.pathUnknown()));
    router.errorHandler(405, context -> refuse(context, Refusals.methodNotAllowed("GET")));
    router.errorHandler(400, context -> refuse(context, unrouted(context.request())));
    router.errorHandler(500, context -> refuse(context, Refusals.internal()));
    router.route().handler(this::mark);
    health(router, RoutingContext::next);
    endpoints(router, RoutingContext::next);
  }

  /**
   * Adds the MCP endpoints, and who protects them.
   *
   * @param gate sees each request first, and calls {@code next} on those that may pass
   */
  List<Route> endpoints(Router router, Handler<RoutingContext> gate) {
    String path = services.config().listen().path();
    return List.of(
        router.route(MetadataPage.PATHS).handler(gate).handler(this::metadata),
        router.route(path).handler(gate).handler(context -> endpoint.handle(context.request(), "")),
        router.route(path + "/:backend").handler(gate).handler(this::one));
  }

  /** Adds the health pages, likewise. */
  List<Route> health(Router router, Handler<RoutingContext> gate) {
    return List.of(
        router.get("/healthz").handler(gate).handler(context -> health.live(context.response())),
        router.get("/readyz").handler(gate).handler(context -> health.ready(context.response())));
  }

  /** Why the router gives a request to no route: it asks for a proper path, and for a Host. */
  private static Refusal unrouted(HttpServerRequest request) {
    return HostGuard.isNamed(request) ? Refusals.malformedTarget() : Refusals.malformedHost();
  }

  /** Answers what no route serves, and what a route threw. */
  private void refuse(RoutingContext context, Refusal refusal) {
    if (refusal.status() >= 500 && context.failure() != null) {
      LOG.error("a route failed", context.failure());
    }
    if (!context.response().ended()) {
      endpoint.refuse(context.request(), refusal);
    }
  }

  /** Refuses a request before any route has it. */
  void refuse(HttpServerRequest request, Refusal refusal) {
    endpoint.refuse(request, refusal);
  }

  /** Refuses what the transport could not read as a request, unless its client left within it. */
  void unreadable(HttpServerRequest request) {
    Throwable fault = request.decoderResult().cause();
    if (!(fault instanceof PrematureChannelClosureException)) {
      request.response().putHeader(Headers.INSTANCE, services.instance());
      refuse(request, Framing.unreadable(fault));
    }
  }

  /** Says whose answer it is, and lets pass what can be read. */
  void mark(RoutingContext context) {
    context.response().putHeader(Headers.INSTANCE, services.instance());
    Framing.check(context.request())
        .ifPresentOrElse(refusal -> endpoint.refuse(context.request(), refusal), context::next);
  }

  private void metadata(RoutingContext context) {
    metadata
        .handle(context.request())
        .ifPresent(refusal -> endpoint.refuse(context.request(), refusal));
  }

  private void one(RoutingContext context) {
    String backend = context.pathParam("backend");
    if (services.catalog().knows(backend)) {
      endpoint.handle(context.request(), backend);
    } else {
      endpoint.refuse(context.request(), Refusals.pathUnknown());
    }
  }

  /** The reader of request bodies, for its gauge. */
  public BodyReader bodies() {
    return bodies;
  }

  /** What waits for clients to read, for its gauge. */
  public UnsentAnswers unsent() {
    return endpoint.unsent();
  }

  /** What new sessions are refused by, for its gauge. */
  public HeapGuard heap() {
    return heap;
  }

  /** Who sent wrong credentials, for its gauge. */
  public FailedCredentials failures() {
    return failures;
  }
}
