package io.fairlead.gateway.session;

import io.fairlead.gateway.backend.Link;
import io.fairlead.gateway.route.Item;
import io.fairlead.gateway.route.ListKind;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The links that one session's calls travel on.
 *
 * <p>Thread: owner loop; futures complete on it.
 */
interface Links {

  /** The link to {@code backend}, opened if need be; fails with a {@code BackendFailure}. */
  Future<Link> link(String backend);

  /** The links that are open now. */
  Collection<Link> open();

  /** Lists that differ from the shared catalog's because this session's own backend said so. */
  Map<String, List<Item>> own(ListKind kind);

  /** Reads again what a backend said has changed for this session; never fails. */
  Future<Void> refresh(ListKind kind);

  /** Ends the links that belong to this session alone. */
  Future<Void> close();
}
