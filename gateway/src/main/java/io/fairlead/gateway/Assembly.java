package io.fairlead.gateway;

import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.config.ConfigChange;
import io.fairlead.gateway.config.EventsConfig;
import io.fairlead.gateway.config.GatewayConfig;
import io.fairlead.gateway.config.LimitsConfig;
import io.fairlead.gateway.config.Version;
import io.fairlead.gateway.observe.Metrics;
import io.fairlead.gateway.observe.PrometheusMetrics;
import io.fairlead.gateway.route.Catalog;
import io.fairlead.gateway.route.ListKind;
import io.fairlead.gateway.route.Router;
import io.fairlead.gateway.route.State;
import io.fairlead.gateway.session.InForce;
import io.fairlead.gateway.session.OwnerLoop;
import io.fairlead.gateway.session.Readiness;
import io.fairlead.gateway.session.Retirement;
import io.fairlead.gateway.session.Services;
import io.fairlead.gateway.session.Session;
import io.fairlead.gateway.session.Sessions;
import io.fairlead.gateway.session.Tally;
import io.fairlead.store.EventStore;
import io.fairlead.store.Retention;
import io.fairlead.store.StreamIds;
import io.fairlead.wire.Revision;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of one gateway, put together.
 *
 * <p>Thread: owner loop. Owner: {@link GatewayVerticle}.
 */
final class Assembly implements Catalog.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(GatewayVerticle.class);
  private final Backends backends;
  private final Services services;
  private final Sessions sessions;
  private final Readiness readiness;
  private final InForce inForce;
  private final Departures departures;

  Assembly(Vertx vertx, GatewayConfig config, List<Backend> locals, String instance) {
    OwnerLoop loop = new OwnerLoop(vertx);
    Metrics metrics =
        config.management().enabled()
            ? new PrometheusMetrics(config.backends().keySet())
            : Metrics.none();
    this.backends = new Backends(config, locals, vertx, metrics);
    EventStore store =
        new EventStore(
            retention(config.events()), System::nanoTime, kind -> metrics.evicted(kind.word()));
    Catalog catalog =
        new Catalog(vertx, backends.all(), prefixes(config), introduction(config), this);
    this.inForce = new InForce(config);
    this.services =
        new Services(
            loop,
            inForce,
            store,
            new StreamIds(new SecureRandom()),
            catalog,
            new Router(InForce.reader(LimitsConfig.MAX_DEPTH)),
            metrics,
            new Tally(),
            instance);
    this.sessions = new Sessions(services, backends.all());
    this.readiness = new Readiness(loop, catalog);
    this.departures = new Departures(loop, backends);
  }

  private static Retention retention(EventsConfig events) {
    return new Retention(
        events.maxEventsPerStream(),
        events.maxBytesPerStream(),
        events.maxBytesPerSession(),
        events.maxBytes(),
        events.ttl());
  }

  private static Map<String, Optional<String>> prefixes(GatewayConfig config) {
    return config.backends().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().prefix()));
  }

  /** What backends are told of the gateway itself, on the catalog's links. */
  private static byte[] introduction(GatewayConfig config) {
    JsonObject capabilities = new JsonObject();
    if (config.sessions().stateful()) {
      // Announced so that backends list what they only offer to clients that can be asked.
      capabilities
          .put("roots", new JsonObject().put("listChanged", true))
          .put("sampling", new JsonObject())
          .put("elicitation", new JsonObject());
    }
    return new JsonObject()
        .put("protocolVersion", Revision.LATEST.text())
        .put("capabilities", capabilities)
        .put("clientInfo", new JsonObject().put("name", "fairlead").put("version", Version.TEXT))
        .encode()
        .getBytes(StandardCharsets.UTF_8);
  }

  Services services() {
    return services;
  }

  Sessions sessions() {
    return sessions;
  }

  Readiness readiness() {
    return readiness;
  }

  Backends backends() {
    return backends;
  }

  /**
   * Puts another configuration in force, in this turn: backends that stay the same keep their
   * links, and what runs on those that go is left to run, for as long as a shutdown would let it.
   * That each local backend has its tools was checked before.
   */
  void apply(ConfigChange change) {
    GatewayConfig next = change.effective();
    inForce.put(next);
    services.store().retain(retention(next.events()));
    List<Retirement> retired = new ArrayList<>();
    change.removed().forEach(name -> retired.add(sessions.retire(backends.remove(name))));
    Map<String, Backend> added = new TreeMap<>();
    for (String name : change.replaced()) {
      retired.add(sessions.retire(backends.all().get(name)));
      added.put(name, backends.put(name, next.backends().get(name)));
    }
    change.added().forEach(name -> added.put(name, backends.put(name, next.backends().get(name))));
    // dropped first, so that what a replaced one said of itself goes with it
    services.metrics().backends(without(backends.all().keySet(), added.keySet()));
    services.metrics().backends(backends.all().keySet());
    Map<String, Supplier<Future<Void>>> links =
        services.catalog().replace(change.removed(), added, prefixes(next));
    retired.forEach(one -> departures.add(one, links.get(one.backend().name()), next.drain()));
    sessions.configured();
    if (change.changes("auth")) {
      // who reads a stream is known by the credentials that opened it, which may be withdrawn now
      sessions.all().forEach(Session::pollAll);
    }
    readiness.changed();
  }

  private static Set<String> without(Set<String> names, Set<String> others) {
    Set<String> left = new TreeSet<>(names);
    left.removeAll(others);
    return left;
  }

  @Override
  public void changed(Set<ListKind> kinds, String backend) {
    List<String> notifications = kinds.stream().map(ListKind::changed).distinct().toList();
    sessions
        .all()
        .forEach(
            session -> {
              if (session.endpoint().isEmpty() || session.endpoint().equals(backend)) {
                session.listsChanged(notifications);
              }
            });
  }

  @Override
  public void state(String backend, State state) {
    if (state.isUp()) {
      LOG.info("backend={} is up", backend);
      sessions.all().forEach(session -> session.backendUp(backend));
    } else {
      LOG.warn(
          "backend={} is {}: {}",
          backend,
          state.phase().name().toLowerCase(Locale.ROOT),
          state.reason());
    }
    readiness.changed();
  }

  /** Closes the catalog's links and the backends. */
  Future<Void> close() {
    List<Future<?>> closing = new ArrayList<>();
    closing.add(departures.end());
    closing.add(services.catalog().close());
    closing.add(backends.close());
    return Future.join(closing).otherwiseEmpty().mapEmpty();
  }
}
