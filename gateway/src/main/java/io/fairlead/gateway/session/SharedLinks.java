package io.fairlead.gateway.session;

import io.fairlead.gateway.backend.Backend;
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
    return catalog.opened(backend);
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

  /** The catalog does. */
  @Override
  public void retire(String backend) {}

  @Override
  public Future<Void> release(Backend backend) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> close() {
    return Future.succeededFuture();
  }
}
