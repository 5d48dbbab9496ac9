package io.fairlead.gateway;

import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.backend.DeadlineBackend;
import io.fairlead.gateway.backend.DemoBackend;
import io.fairlead.gateway.backend.HttpBackend;
import io.fairlead.gateway.backend.StdioBackend;
import io.fairlead.gateway.config.BackendConfig;
import io.fairlead.gateway.config.GatewayConfig;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes the configured backends.
 *
 * <p>Thread: owner loop.
 */
final class Backends {
  static final String DEMO = "demo";

  private Backends() {}

  /**
   * @param locals tools of the embedding application, by name; a configured local backend that is
   *     not among them is the demo
   */
  static Map<String, Backend> of(GatewayConfig config, Map<String, Backend> locals, Vertx vertx) {
    Context owner = vertx.getOrCreateContext();
    Map<String, Backend> backends = new LinkedHashMap<>();
    config
        .backends()
        .forEach((name, one) -> backends.put(name, make(name, one, locals, vertx, owner)));
    return backends;
  }

  private static Backend make(
      String name, BackendConfig config, Map<String, Backend> locals, Vertx vertx, Context owner) {
    Backend backend =
        config.fold(
            local -> local(name, locals),
            http -> new HttpBackend(name, http, vertx),
            stdio -> new StdioBackend(name, stdio, owner));
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
