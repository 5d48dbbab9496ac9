package io.fairlead.gateway;

import io.fairlead.gateway.auth.Authenticator;
import io.fairlead.gateway.auth.Authenticators;
import io.fairlead.gateway.config.ConfigChange;
import io.fairlead.gateway.config.GatewayConfig;
import io.fairlead.gateway.http.Front;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.function.BooleanSupplier;

/**
 * Puts other configurations in force while the gateway runs, one after the other. What may fail is
 * done first; then all of it changes in one turn of the loop, or nothing.
 *
 * <p>Thread: owner loop. Owner: {@link GatewayVerticle}.
 */
final class Reconfiguration {
  private final Vertx vertx;
  private final Assembly parts;
  private final Front front;
  private final BooleanSupplier draining;
  private Authenticator authenticator;
  private Future<ConfigChange> latest = Future.failedFuture("nothing was applied");

  /**
   * @param authenticator the one in force; closed by this class
   */
  Reconfiguration(
      Vertx vertx,
      Assembly parts,
      Front front,
      Authenticator authenticator,
      BooleanSupplier draining) {
    this.vertx = vertx;
    this.parts = parts;
    this.front = front;
    this.authenticator = authenticator;
    this.draining = draining;
  }

  /**
   * Applies {@code next} when what was asked before is done.
   *
   * @return what has changed; fails, and then nothing has, with {@link IllegalArgumentException} or
   *     {@link io.fairlead.gateway.auth.AuthUnavailable}
   */
  Future<ConfigChange> apply(GatewayConfig next) {
    latest =
        latest
            .transform(before -> prepare(next))
            .onComplete(
                change -> {
                  if (change.failed() || !change.result().isEmpty()) {
                    count(change.succeeded());
                  }
                });
    return latest;
  }

  /** A configuration was refused before it could be asked for. */
  void refused() {
    count(false);
  }

  private void count(boolean applied) {
    parts.services().metrics().reloaded(applied ? "applied" : "refused");
  }

  private Future<ConfigChange> prepare(GatewayConfig next) {
    ConfigChange change;
    try {
      change = ConfigChange.between(parts.services().config(), next);
      parts.backends().requireTools(change.effective());
    } catch (IllegalArgumentException refused) {
      return Future.failedFuture(refused);
    }
    return change.isEmpty()
        ? Future.succeededFuture(change)
        : authenticator(change).compose(ready -> apply(change, ready));
  }

  private Future<Authenticator> authenticator(ConfigChange change) {
    return change.changes("auth")
        ? Authenticators.open(vertx, change.effective())
        : Future.succeededFuture(authenticator);
  }

  private Future<ConfigChange> apply(ConfigChange change, Authenticator ready) {
    Authenticator before = authenticator;
    if (draining.getAsBoolean()) {
      return (ready == before ? Future.succeededFuture() : ready.close())
          .transform(done -> Future.failedFuture(new IllegalStateException("the gateway stops")));
    }
    authenticator = ready;
    parts.apply(change);
    front.configured(ready);
    Gauges.perBackend(parts);
    Future<Void> closed = ready == before ? Future.succeededFuture() : before.close();
    // all of it is in force by now, whatever becomes of the one that went
    return closed.transform(done -> Future.succeededFuture(change));
  }

  /** Closes the authenticator; nothing is applied any more while the gateway drains. */
  Future<Void> close() {
    return authenticator.close();
  }
}
