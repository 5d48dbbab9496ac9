package io.fairlead.gateway.session;

import io.fairlead.gateway.backend.BackendFailure;
import io.fairlead.gateway.backend.Link;
import io.fairlead.gateway.route.Catalog;
import io.fairlead.gateway.route.ListKind;
import io.fairlead.gateway.route.View;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;

/**
 * The catalog's own links, used when nothing is kept between exchanges.
 *
 * <p>Thread: owner loop.
 */
final class SharedLinks implements Links {
  private final Catalog catalog;

  SharedLinks(Catalog catalog) {
    this.catalog = catalog;
  }

  @Override
  public Future<Link> link(String backend) {
    return catalog
        .link(backend)
        .map(Future::succeededFuture)
        .orElseGet(
            () ->
                Future.failedFuture(
                    new BackendFailure(
                        "backend_unavailable",
                        "backend " + backend + " is not connected; try again later")));
  }

  /** None: what one client says must not change the links of the others. */
  @Override
  public Collection<Link> open() {
    return List.of();
  }

  @Override
  public View view(View shared) {
    return shared;
  }

  /** The catalog is told, and reads for all. */
  @Override
  public void stale(String backend, ListKind kind) {}

  @Override
  public Future<Void> refresh(ListKind kind) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> close() {
    return Future.succeededFuture();
  }
}
