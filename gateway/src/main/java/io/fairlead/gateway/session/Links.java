package io.fairlead.gateway.session;

import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.backend.Link;
import io.fairlead.gateway.route.ListKind;
import io.fairlead.gateway.route.View;
import io.vertx.core.Future;
import java.util.Collection;

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

  /** What this session is offered, where everybody's view is {@code shared}. */
  View view(View shared);

  /** A backend said that one of its lists has changed for this session. */
  void stale(String backend, ListKind kind);

  /** Reads again what a backend said has changed for this session; never fails. */
  Future<Void> refresh(ListKind kind);

  /**
   * {@code backend} was removed, or another took its place: the link to it is used no more for what
   * is new, and stays open for calls that run until {@link #release}.
   */
  void retire(String backend);

  /** No call runs on the retired link to {@code backend} any more: it is closed. */
  Future<Void> release(Backend backend);

  /** Ends the links that belong to this session alone. */
  Future<Void> close();
}
