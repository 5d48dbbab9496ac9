package io.fairlead.gateway;

import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.backend.DeadlineBackend;
import io.fairlead.gateway.backend.DemoBackend;
import io.fairlead.gateway.backend.EventBusBackend;
import io.fairlead.gateway.backend.HttpBackend;
import io.fairlead.gateway.backend.StdioBackend;
import io.fairlead.gateway.config.BackendConfig;
import io.fairlead.gateway.config.GatewayConfig;
import io.fairlead.gateway.observe.Metrics;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The configured backends.
 *
 * <p>Thread: owner loop. Owner: {@link Assembly}.
 */
final class Backends {
  static final String DEMO = "demo";

  private final Vertx vertx;
  private final Metrics metrics;
  private final boolean stateless;
  private final Map<String, Backend> registered;
  private final Map<String, Backend> all = new TreeMap<>();
  private final Map<String, StdioBackend> children = new TreeMap<>();
  private final Map<String, EventBusBackend> buses = new TreeMap<>();

  /**
   * @param locals tools of the embedding application; a configured local backend that is not among
   *     them is the demo
   */
  Backends(GatewayConfig config, List<Backend> locals, Vertx vertx, Metrics metrics) {
    this.vertx = vertx;
    this.metrics = metrics;
    this.stateless = !config.sessions().stateful();
    this.registered = locals.stream().collect(Collectors.toMap(Backend::name, Function.identity()));
    requireTools(config);
    config.backends().forEach(this::put);
  }

  /**
   * Puts a backend in its place, where another may have been.
   *
   * @return the new one
   */
  Backend put(String name, BackendConfig config) {
    children.remove(name);
    buses.remove(name);
    Backend backend = withDeadline(make(name, config), config);
    backend.observe(metrics);
    all.put(name, backend);
    return backend;
  }

  /** Takes a backend out; it is left open. */
  Backend remove(String name) {
    children.remove(name);
    buses.remove(name);
    return all.remove(name);
  }

  /** By name, in the order of their names, as they are at any time. */
  Map<String, Backend> all() {
    return Collections.unmodifiableMap(all);
  }

  /** Those that run child processes, by name. */
  Map<String, StdioBackend> children() {
    return children;
  }

  /** Closes one that was taken out; what the application registered may come back. */
  Future<Void> close(Backend backend) {
    return registered.containsKey(backend.name()) ? Future.succeededFuture() : backend.close();
  }

  /** Closes all of them. */
  Future<Void> close() {
    List<Future<?>> closing = new ArrayList<>();
    all.values().forEach(backend -> closing.add(backend.close()));
    registered.values().forEach(backend -> closing.add(backend.close()));
    return Future.join(closing).otherwiseEmpty().mapEmpty();
  }

  /**
   * Checks that there are tools for each local backend.
   *
   * @throws IllegalArgumentException that names one that has none
   */
  void requireTools(GatewayConfig config) {
    config
        .backends()
        .forEach(
            (name, one) -> {
              if (one instanceof BackendConfig.Local
                  && !registered.containsKey(name)
                  && !name.equals(DEMO)) {
                throw new IllegalArgumentException(
                    "backends."
                        + name
                        + ": type=local, but the application registered no tools of that name;"
                        + " register them with the verticle, or choose another type");
              }
            });
  }

  /** Those whose tools are on the event bus, by name. */
  Map<String, EventBusBackend> buses() {
    return buses;
  }

  private Backend make(String name, BackendConfig config) {
    return config.fold(
        local -> Optional.ofNullable(registered.get(name)).orElseGet(DemoBackend::create),
        http -> new HttpBackend(name, http, vertx),
        stdio -> {
          StdioBackend backend =
              new StdioBackend(name, stdio, vertx.getOrCreateContext(), stateless);
          children.put(name, backend);
          return backend;
        },
        eventBus -> {
          EventBusBackend backend = new EventBusBackend(name, eventBus, vertx);
          buses.put(name, backend);
          return backend;
        });
  }

  private Backend withDeadline(Backend backend, BackendConfig config) {
    return config
        .callTimeout()
        .<Backend>map(timeout -> new DeadlineBackend(backend, vertx, timeout))
        .orElse(backend);
  }
}
