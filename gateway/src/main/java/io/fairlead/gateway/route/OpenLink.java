package io.fairlead.gateway.route;

import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.backend.Link;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.Json;
import io.fairlead.wire.Methods;
import io.fairlead.wire.RpcError;
import io.fairlead.wire.RpcId;
import io.vertx.core.Vertx;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One open link of the catalog: reads its lists, keeps them fresh, and answers what its backend
 * asks.
 *
 * <p>Thread: owner loop. Owner: the {@link SharedLink}.
 */
final class OpenLink {
  private static final Logger LOG = LoggerFactory.getLogger(OpenLink.class);

  /** Hears what is read. */
  interface Listener {

    void read(ListKind kind, List<Item> items);

    /** Each list was tried at least once; called again after each further read. */
    void tried(State state);
  }

  private final String backend;
  private final Link link;
  private final Listener listener;
  private final Map<ListKind, Refresh> refreshes = new EnumMap<>(ListKind.class);
  private final Set<ListKind> untried;
  private final Set<ListKind> failing = EnumSet.noneOf(ListKind.class);
  private boolean anyRead;

  /**
   * @param kinds the lists that the backend announced
   */
  OpenLink(
      Vertx vertx, Pace pace, String backend, Link link, Set<ListKind> kinds, Listener listener) {
    this.backend = backend;
    this.link = link;
    this.listener = listener;
    this.untried = EnumSet.copyOf(kinds);
    this.anyRead = kinds.isEmpty();
    for (ListKind kind : kinds) {
      refreshes.put(
          kind,
          new Refresh(
              vertx,
              pace,
              () ->
                  Listing.begin(
                      vertx, link, kind, Principal.ANONYMOUS, this::message, pace.readMillis()),
              (items, failure) -> ended(kind, items, failure)));
    }
  }

  Link link() {
    return link;
  }

  /** Reads every list. */
  void start() {
    if (untried.isEmpty()) {
      listener.tried(State.UP);
    }
    refreshes.values().forEach(Refresh::request);
  }

  /** Reads the list again, if the backend announced it. */
  void stale(ListKind kind) {
    if (refreshes.containsKey(kind)) {
      refreshes.get(kind).request();
    }
  }

  /** Takes a notification or a request of the backend. */
  void message(Envelope message) {
    switch (message.kind()) {
      case NOTIFICATION -> ListKind.changedBy(message.method()).forEach(this::stale);
      case REQUEST -> message.id().ifPresent(id -> link.answer(answer(message.method(), id)));
      default -> LOG.debug("backend={} sent an answer that nobody waits for", backend);
    }
  }

  /** Stops to read; the link is left to its owner. Idempotent. */
  void end() {
    refreshes.values().forEach(Refresh::close);
  }

  private void ended(ListKind kind, List<Item> items, Throwable failure) {
    untried.remove(kind);
    if (failure == null) {
      failing.remove(kind);
      anyRead = true;
      listener.read(kind, items);
    } else if (failing.add(kind)) {
      LOG.warn("backend={}: {}; it is tried again", backend, failure.getMessage());
    }
    if (untried.isEmpty()) {
      listener.tried(anyRead ? State.UP : State.starting(failure.getMessage()));
    }
  }

  /** Nobody stands behind this link who could be asked anything. */
  private static byte[] answer(String method, RpcId id) {
    return switch (method) {
      case Methods.PING -> Json.result(id, Map.of());
      case Methods.ROOTS_LIST -> Json.result(id, Map.of("roots", List.of()));
      default ->
          RpcError.of(
                  RpcError.METHOD_NOT_FOUND,
                  "unknown_method",
                  "a link that only reads lists does not answer method=" + method)
              .toMessage(Optional.of(id));
    };
  }
}
