package io.fairlead.gateway.http;

import io.fairlead.gateway.config.AuthConfig;
import io.fairlead.gateway.config.ListenConfig;
import io.fairlead.gateway.session.OwnerLoop;
import io.fairlead.gateway.session.Services;
import io.fairlead.wire.Headers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway's routes on routers of the application. The application owns the connections; what is
 * bounded here is how many of its requests the gateway is busy with.
 *
 * <p>Thread: owner loop; requests that come in on another are refused. Owner: the gateway verticle.
 */
public final class Mount implements Entrance {
  private static final Logger LOG = LoggerFactory.getLogger(Mount.class);
  private static final Duration GRACE = Duration.ofMillis(500);
  private static final Duration SWEEP = Duration.ofSeconds(5);

  private final Services services;
  private final Front front;
  private final OwnerLoop.Timer sweep;
  private final List<Route> routes = new ArrayList<>();

  /** Those that have ended stay until the next sweep: the response's handlers are the sinks'. */
  private final Set<HttpServerRequest> exchanges = new LinkedHashSet<>();

  /** Who serves which URL, in this Vertx. */
  private final LocalMap<String, String> urls;

  /** Where this gateway serves its URL. */
  private final Set<SocketAddress> claimed = new HashSet<>();

  private boolean saidWrongLoop;
  private boolean saidShared;
  private boolean saidBodyGone;
  private boolean closed;

  public Mount(Services services, Front front) {
    this.services = services;
    this.front = front;
    this.urls = services.loop().vertx().sharedData().getLocalMap("io.fairlead.mounts");
    this.sweep = services.loop().every(SWEEP, this::forgetEnded);
  }

  /** Adds the MCP endpoints, and who protects them. */
  public void add(Router router) {
    check();
    routes.addAll(front.endpoints(router, this::enter));
  }

  /** Adds the pages {@code /healthz} and {@code /readyz}. */
  public void addHealth(Router router) {
    check();
    routes.addAll(front.health(router, this::enter));
  }

  private void check() {
    if (!services.loop().isCurrent()) {
      throw new IllegalStateException(
          "mount was called on thread="
              + Thread.currentThread().getName()
              + "; call it on the event loop of the verticle that deployed the gateway");
    }
    if (closed) {
      throw new IllegalStateException("the gateway was undeployed; mount a new one");
    }
  }

  private void enter(RoutingContext context) {
    context.response().putHeader(Headers.INSTANCE, services.instance());
    if (!services.loop().isCurrent()) {
      refuseForeign(context);
      return;
    }
    HttpServerRequest request = context.request();
    Optional<Refusal> refusal = check(request);
    if (refusal.isPresent()) {
      front.refuse(request, refusal.get());
    } else {
      exchanges.add(request);
      front.mark(context);
    }
  }

  private Optional<Refusal> check(HttpServerRequest request) {
    AuthConfig auth = services.config().auth();
    int limit = services.config().limits().connections();
    if (auth.mode() == AuthConfig.Mode.NONE
        && !auth.allowAnonymous()
        && !isLoopback(request.connection().localAddress())) {
      return Optional.of(Refusals.notLoopback());
    }
    if (isShared(request.connection().localAddress())) {
      return Optional.of(Refusals.sharedAddress());
    }
    if (isBodyGone(request)) {
      return Optional.of(Refusals.bodyGone());
    }
    if (exchanges.size() >= limit) {
      forgetEnded();
    }
    return exchanges.size() >= limit
        ? Optional.of(Refusals.overloaded("limits.connections"))
        : Optional.empty();
  }

  /**
   * With instances of a verticle each would have its own gateway, and a session is known to one.
   */
  private boolean isShared(SocketAddress local) {
    if (!services.config().sessions().stateful()) {
      return false;
    }
    if (claimed.contains(local)) {
      return false;
    }
    String url = url(local);
    boolean shared = urls.putIfAbsent(url, services.instance()) != null;
    if (!shared) {
      claimed.add(local);
    } else if (!saidShared) {
      saidShared = true;
      LOG.error(
          "url={} is served by another gateway of this Vertx too, and a request was refused: deploy"
              + " the verticle with one instance, or say sessions.mode=stateless",
          url);
    }
    return shared;
  }

  private String url(SocketAddress local) {
    return local + services.config().listen().path();
  }

  private boolean isBodyGone(HttpServerRequest request) {
    boolean gone =
        request.isEnded()
            && request.method() == HttpMethod.POST
            && Framing.length(request).orElse(1L) > 0;
    if (gone && !saidBodyGone) {
      saidBodyGone = true;
      LOG.error(
          "path={} a body was read before the gateway saw it, and the request was refused: mount the"
              + " gateway before any BodyHandler, and have handlers before it that wait pause the"
              + " request",
          services.config().listen().path());
    }
    return gone;
  }

  /** A socket of the file system has no host. */
  private static boolean isLoopback(SocketAddress local) {
    return local == null
        || local.hostAddress() == null
        || ListenConfig.isLoopback(local.hostAddress());
  }

  /** Nothing of the gateway may be touched from here. Thread: any. */
  private void refuseForeign(RoutingContext context) {
    Refusal refusal = Refusals.wrongLoop();
    String thread = Thread.currentThread().getName();
    context
        .response()
        .setStatusCode(refusal.status())
        .putHeader("Content-Type", "application/json")
        .end(Buffer.buffer(refusal.error().toMessage(Optional.empty())));
    services.loop().execute(() -> countForeign(refusal, thread));
  }

  private void countForeign(Refusal refusal, String thread) {
    services.metrics().refused(refusal.counted());
    if (!saidWrongLoop) {
      saidWrongLoop = true;
      LOG.error(
          "a request came in on thread={}, which is not the gateway's event loop, and was refused:"
              + " create the HTTP server in the verticle that deployed the gateway, with one"
              + " instance, or give the gateway a port of its own",
          thread);
    }
  }

  private void forgetEnded() {
    exchanges.removeIf(request -> request.response().ended() || request.response().closed());
  }

  @Override
  public Future<Void> open() {
    return Future.succeededFuture();
  }

  @Override
  public int port() {
    return 0;
  }

  @Override
  public int connections() {
    forgetEnded();
    return (int) exchanges.stream().map(HttpServerRequest::connection).distinct().count();
  }

  @Override
  public Future<Void> close() {
    if (closed) {
      return Future.succeededFuture();
    }
    closed = true;
    routes.forEach(Route::remove);
    claimed.forEach(local -> urls.removeIfPresent(url(local), services.instance()));
    sweep.cancel();
    forgetEnded();
    Promise<Void> over = Promise.promise();
    if (exchanges.isEmpty()) {
      over.complete();
    } else {
      services.loop().after(GRACE, () -> cutRest(over));
    }
    return over.future();
  }

  private void cutRest(Promise<Void> over) {
    forgetEnded();
    exchanges.forEach(Connections::cut);
    exchanges.clear();
    over.complete();
  }
}
