package io.fairlead.gateway.route;

import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.backend.Link;
import io.fairlead.wire.Envelope;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Consumer;

/** Reads one list through a link, following all its pages. */
public final class Listing {

  private Listing() {}

  /**
   * Starts to read.
   *
   * @param messages gets what the backend says on the way: notifications, and requests that wait
   *     for an answer
   */
  public static Listing begin(
      Vertx vertx, Link link, ListKind kind, Principal asker, Consumer<Envelope> messages) {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * All items of all pages, in order; none if the backend does not know the method. Completes on
   * the owner loop in bounded time; fails with a {@link
   * io.fairlead.gateway.backend.BackendFailure}.
   */
  public Future<List<Item>> items() {
    throw new UnsupportedOperationException("stub");
  }

  /** Gives up: {@link #items()} fails. Idempotent; without effect once it has completed. */
  public void cancel() {
    throw new UnsupportedOperationException("stub");
  }
}
