package io.fairlead.gateway.route;

import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.backend.BackendFailure;
import io.fairlead.gateway.backend.Link;
import io.fairlead.gateway.backend.LinkListener;
import io.fairlead.gateway.backend.LinkRequest;
import io.fairlead.wire.Envelope;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps one link to one backend open for the catalog, and what was read through it.
 *
 * <pre>
 * STARTING ── opened, lists read ──► UP ── link lost ──► DOWN ── opened, lists read ──► UP
 *    └────────── could not be opened ──────────────────►
 * </pre>
 *
 * <p>Thread: owner loop. Owner: the {@link Catalog}.
 */
final class SharedLink {

  /** Hears what a shared link comes to know. */
  interface Listener {

    void state(State state);

    /** What the backend offers is known anew; {@code changed} names the lists that differ. */
    void offered(Set<ListKind> changed);
  }

  /** What a backend may say before its handshake is over. */
  private static final int MAX_EARLY = 64;

  private final Vertx vertx;
  private final Backend backend;
  private final byte[] initializeParams;
  private final Pace pace;
  private final Listener listener;
  private final Promise<Void> settled = Promise.promise();
  private final Map<ListKind, List<Item>> lists = new EnumMap<>(ListKind.class);
  private Optional<Handshake> handshake = Optional.empty();
  private Optional<OpenLink> current = Optional.empty();
  private Optional<Long> reopening = Optional.empty();
  private State state = State.starting("");
  private int failures;
  private boolean closed;

  SharedLink(Vertx vertx, Backend backend, byte[] initializeParams, Pace pace, Listener listener) {
    this.vertx = vertx;
    this.backend = backend;
    this.initializeParams = initializeParams;
    this.pace = pace;
    this.listener = listener;
  }

  void start() {
    open();
  }

  /**
   * Offers what {@code before} offered until it has read for itself: the same backend, configured
   * differently, is not taken for an empty one meanwhile.
   */
  void succeed(SharedLink before) {
    handshake = before.handshake;
    lists.putAll(before.lists);
  }

  /**
   * Reads and tells nothing any more; the link stays open for calls that run, until it is closed.
   */
  void retire() {
    closed = true;
    reopening.ifPresent(vertx::cancelTimer);
    settled.tryComplete();
    current.ifPresent(OpenLink::end);
  }

  /** Completes when the first attempt has ended, well or not. */
  Future<Void> settled() {
    return settled.future();
  }

  State state() {
    return state;
  }

  Optional<Link> link() {
    return current.map(OpenLink::link);
  }

  Offer offer(String prefix) {
    return new Offer(backend.name(), prefix, handshake, lists);
  }

  /** Reads the list again, if the backend announced it. */
  void stale(ListKind kind) {
    current.ifPresent(open -> open.stale(kind));
  }

  /** Idempotent; never fails. */
  Future<Void> close() {
    retire();
    return current
        .map(open -> open.link().close().<Void>otherwiseEmpty())
        .orElseGet(Future::succeededFuture);
  }

  private void open() {
    reopening = Optional.empty();
    Attempt attempt = new Attempt();
    backend
        .open(new LinkRequest(initializeParams, Principal.ANONYMOUS, attempt))
        .onComplete(attempt::opened, attempt::failed);
  }

  private void use(Link link, Handshake said) {
    Set<ListKind> offered = EnumSet.noneOf(ListKind.class);
    Set<ListKind> dropped = EnumSet.noneOf(ListKind.class);
    for (ListKind kind : ListKind.values()) {
      if (said.offers(kind)) {
        offered.add(kind);
      } else if (!Optional.ofNullable(lists.remove(kind)).orElse(List.of()).isEmpty()) {
        dropped.add(kind);
      }
    }
    handshake = Optional.of(said);
    OpenLink open = new OpenLink(vertx, pace, backend.name(), link, offered, new Readings());
    current = Optional.of(open);
    listener.offered(dropped);
    open.start();
  }

  private void lost(String reason) {
    current.ifPresent(OpenLink::end);
    current = Optional.empty();
    reopening = Optional.of(vertx.setTimer(pace.backOff(++failures), id -> open()));
    become(State.down(reason));
    settled.tryComplete();
  }

  private void become(State next) {
    if (!next.equals(state)) {
      state = next;
      listener.state(next);
    }
  }

  /** One attempt to open a link, and what comes of it. */
  private final class Attempt implements LinkListener {
    private boolean over;
    private Optional<OpenLink> open = Optional.empty();
    private final List<Envelope> early = new ArrayList<>(0);
    private long openedNanos;

    void opened(Link link) {
      Optional<Handshake> said = Handshake.of(link.initializeResult());
      if (closed || over || said.isEmpty()) {
        link.close();
        closed("its InitializeResult is no JSON object of usable size");
        return;
      }
      openedNanos = System.nanoTime();
      use(link, said.get());
      open = current;
      early.forEach(this::message);
      early.clear();
    }

    void failed(Throwable failure) {
      closed(
          failure instanceof BackendFailure
              ? failure.getMessage()
              : "it failed with " + failure.getClass().getSimpleName());
    }

    @Override
    public void message(Envelope message) {
      if (open.isPresent()) {
        open.get().message(message);
      } else if (early.size() < MAX_EARLY) {
        early.add(message);
      }
    }

    @Override
    public void closed(String reason) {
      if (closed || over) {
        return;
      }
      over = true;
      if (open.isPresent() && lived()) {
        failures = 0;
      }
      lost(reason);
    }

    private boolean lived() {
      return System.nanoTime() - openedNanos >= pace.mostMillis() * 1_000_000;
    }
  }

  /** Takes over what the open link reads. */
  private final class Readings implements OpenLink.Listener {

    @Override
    public void read(ListKind kind, List<Item> items) {
      List<Item> before = lists.getOrDefault(kind, List.of());
      lists.put(kind, items);
      if (!items.equals(before)) {
        listener.offered(EnumSet.of(kind));
      }
    }

    @Override
    public void tried(State tried) {
      become(tried);
      settled.tryComplete();
    }
  }
}
