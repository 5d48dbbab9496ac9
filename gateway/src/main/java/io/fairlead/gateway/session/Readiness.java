package io.fairlead.gateway.session;

import io.fairlead.gateway.route.Catalog;
import io.fairlead.gateway.route.State;
import io.fairlead.gateway.route.View;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Waits for the backends that a handshake needs: until each has come up or failed, but no longer
 * than a moment once one is up, so that a dead or slow backend does not hold the others back.
 *
 * <p>Thread: owner loop.
 */
public final class Readiness {
  private static final Duration GRACE = Duration.ofMillis(500);

  private record Waiting(View view, Promise<Boolean> promise) {}

  private final OwnerLoop loop;
  private final Catalog catalog;
  private final List<Waiting> waiting = new ArrayList<>();

  public Readiness(OwnerLoop loop, Catalog catalog) {
    this.loop = loop;
    this.catalog = catalog;
  }

  /** Completes on the owner loop with whether any backend of {@code view} is up; never fails. */
  public Future<Boolean> of(View view) {
    if (isSettled(view)) {
      return Future.succeededFuture(anyUp(view));
    }
    Waiting entry = new Waiting(view, Promise.promise());
    waiting.add(entry);
    loop.after(
        GRACE,
        () -> {
          if (anyUp(view)) {
            release(entry);
          }
        });
    return entry.promise.future();
  }

  /** A backend's state has changed. */
  public void changed() {
    List.copyOf(waiting).stream().filter(entry -> isSettled(entry.view)).forEach(this::release);
  }

  private void release(Waiting entry) {
    if (waiting.remove(entry)) {
      entry.promise.complete(anyUp(entry.view));
    }
  }

  private boolean isSettled(View view) {
    return view.backends().stream()
        .noneMatch(backend -> catalog.state(backend).phase() == State.Phase.STARTING);
  }

  private boolean anyUp(View view) {
    return view.backends().stream().anyMatch(backend -> catalog.state(backend).isUp());
  }
}
