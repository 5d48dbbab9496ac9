package io.fairlead.gateway.http;

import io.fairlead.gateway.route.Catalog;
import io.fairlead.gateway.route.State;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/**
 * Says whether the process lives, and whether it is of use: no authentication, no session.
 *
 * <p>Thread: owner loop.
 */
public final class Health {
  private final Catalog catalog;
  private final String instance;
  private final String version;
  private final BooleanSupplier draining;

  public Health(Catalog catalog, String instance, String version, BooleanSupplier draining) {
    this.catalog = catalog;
    this.instance = instance;
    this.version = version;
    this.draining = draining;
  }

  /** {@code GET /healthz}. */
  public void live(HttpServerResponse response) {
    send(
        response,
        200,
        new JsonObject().put("status", "ok").put("instance", instance).put("version", version));
  }

  /** {@code GET /readyz}: 503 while draining, or while no backend is up. */
  public void ready(HttpServerResponse response) {
    JsonObject states = new JsonObject();
    boolean anyUp = false;
    for (String backend : catalog.backends()) {
      State state = catalog.state(backend);
      anyUp |= state.isUp();
      JsonObject described =
          new JsonObject().put("state", state.phase().name().toLowerCase(Locale.ROOT));
      if (!state.reason().isEmpty()) {
        described.put("reason", state.reason());
      }
      states.put(backend, described);
    }
    boolean ready = anyUp && !draining.getAsBoolean();
    String status = draining.getAsBoolean() ? "draining" : anyUp ? "ready" : "no backend is up";
    send(
        response,
        ready ? 200 : 503,
        new JsonObject().put("status", status).put("backends", states));
  }

  private static void send(HttpServerResponse response, int status, JsonObject body) {
    response
        .setStatusCode(status)
        .putHeader("Content-Type", "application/json")
        .putHeader("Cache-Control", "no-store")
        .end(body.toBuffer());
  }
}
