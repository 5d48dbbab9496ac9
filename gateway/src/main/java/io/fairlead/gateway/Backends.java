package io.fairlead.gateway;

import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.backend.DeadlineBackend;
import io.fairlead.gateway.backend.DemoBackend;
import io.fairlead.gateway.backend.HttpBackend;
import io.fairlead.gateway.backend.StdioBackend;
import io.fairlead.gateway.config.BackendConfig;
import io.fairlead.gateway.config.GatewayConfig;
import io.vertx.core.Vertx;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The configured backends.
 *
 * <p>Thread: owner loop. Owner: {@link Assembly}.
 */
final class Backends {
  static final String DEMO = "demo";

  private final Map<String, Backend> all = new LinkedHashMap<>();
  private final Map<String, StdioBackend> children = new LinkedHashMap<>();

  /**
   * @param locals tools of the embedding application; a configured local backend that is not among
   *     them is the demo
   */
  Backends(GatewayConfig config, List<Backend> locals, Vertx vertx) {
    Map<String, Backend> registered =
        locals.stream().collect(Collectors.toMap(Backend::name, Function.identity()));
    config
        .backends()
        .forEach(
            (name, one) ->
                all.put(name, withDeadline(make(name, one, registered, vertx), one, vertx)));
  }

  /** By name, in the order of their names. */
  Map<String, Backend> all() {
    return all;
  }

  /** Those that run child processes, by name. */
  Map<String, StdioBackend> children() {
    return children;
  }

  private Backend make(
      String name, BackendConfig config, Map<String, Backend> registered, Vertx vertx) {
    return config.fold(
        local -> local(name, registered),
        http -> new HttpBackend(name, http, vertx),
        stdio -> {
          StdioBackend backend = new StdioBackend(name, stdio, vertx.getOrCreateContext());
          children.put(name, backend);
          return backend;
        });
  }

  private static Backend withDeadline(Backend backend, BackendConfig config, Vertx vertx) {
    return config
        .callTimeout()
        .<Backend>map(timeout -> new DeadlineBackend(backend, vertx, timeout))
        .orElse(backend);
  }

  private static Backend local(String name, Map<String, Backend> locals) {
    if (locals.containsKey(name)) {
      return locals.get(name);
    }
    if (name.equals(DEMO)) {
      return DemoBackend.create();
    }
    throw new IllegalArgumentException(
        "backends."
            + name
            + ": type=local, but the application registered no tools of that name; register them"
            + " with the verticle, or choose another type");
  }
}
