package io.fairlead.gateway.session;

import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.backend.BackendFailure;
import io.fairlead.gateway.backend.Link;
import io.fairlead.gateway.backend.LinkListener;
import io.fairlead.gateway.backend.LinkRequest;
import io.fairlead.gateway.route.Item;
import io.fairlead.gateway.route.ListKind;
import io.fairlead.gateway.route.Listing;
import io.fairlead.wire.Envelope;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One session's own links, a backend each, opened with the first message for it.
 *
 * <p>Thread: owner loop. Owner: {@link Session}.
 */
final class PrivateLinks implements Links {
  private static final int MAX_EARLY = 64;

  private static final class Entry {
    final Promise<Link> opened = Promise.promise();

    /** What the backend said before its handshake was over. */
    final List<Envelope> early = new ArrayList<>(0);

    Link link;
    final Set<ListKind> stale = EnumSet.noneOf(ListKind.class);
    final Map<ListKind, List<Item>> own = new EnumMap<>(ListKind.class);
  }

  private final Session session;
  private final Map<String, Backend> backends;
  private final Map<String, Entry> entries = new HashMap<>(4);
  private boolean closed;

  PrivateLinks(Session session, Map<String, Backend> backends) {
    this.session = session;
    this.backends = backends;
  }

  @Override
  public Future<Link> link(String backend) {
    Entry known = entries.get(backend);
    if (known != null) {
      return known.opened.future();
    }
    Backend target = backends.get(backend);
    if (target == null || closed) {
      return Future.failedFuture(
          new BackendFailure("backend_unavailable", "backend " + backend + " is not configured"));
    }
    Entry entry = new Entry();
    entries.put(backend, entry);
    target
        .open(
            new LinkRequest(
                session.initializeParams(), session.principal(), new Listener(backend, entry)))
        .onComplete(result -> opened(backend, entry, result));
    return entry.opened.future();
  }

  private void opened(String backend, Entry entry, AsyncResult<Link> result) {
    if (result.failed()) {
      entries.remove(backend, entry);
      entry.opened.fail(result.cause());
      return;
    }
    if (closed) {
      result.result().close();
      entry.opened.fail(new BackendFailure("session_closed", "the session has ended"));
      return;
    }
    entry.link = result.result();
    session.linkOpened(backend, entry.link);
    entry.opened.complete(entry.link);
    entry.early.forEach(message -> session.fromBackend(backend, entry.link, message));
    entry.early.clear();
  }

  @Override
  public Collection<Link> open() {
    List<Link> open = new ArrayList<>(entries.size());
    for (Entry entry : entries.values()) {
      if (entry.link != null) {
        open.add(entry.link);
      }
    }
    return open;
  }

  @Override
  public Map<String, List<Item>> own(ListKind kind) {
    Map<String, List<Item>> own = new HashMap<>();
    entries.forEach(
        (backend, entry) -> {
          if (entry.own.containsKey(kind)) {
            own.put(backend, entry.own.get(kind));
          }
        });
    return own;
  }

  @Override
  public Future<Void> refresh(ListKind kind) {
    List<Future<?>> reads = new ArrayList<>();
    for (Map.Entry<String, Entry> known : entries.entrySet()) {
      String backend = known.getKey();
      Entry entry = known.getValue();
      if (entry.link != null && entry.stale.remove(kind)) {
        reads.add(
            Listing.begin(
                    session.vertx(),
                    entry.link,
                    kind,
                    session.principal(),
                    message -> session.fromBackend(backend, entry.link, message))
                .items()
                .onSuccess(items -> entry.own.put(kind, items))
                .onFailure(failure -> entry.stale.add(kind)));
      }
    }
    return Future.join(reads).otherwiseEmpty().mapEmpty();
  }

  @Override
  public Future<Void> close() {
    closed = true;
    List<Future<?>> closing = new ArrayList<>();
    entries.forEach(
        (backend, entry) -> {
          if (entry.link != null) {
            closing.add(entry.link.close());
            session.linkClosed(backend, entry.link);
          }
        });
    entries.clear();
    return Future.join(closing).otherwiseEmpty().mapEmpty();
  }

  /** What one backend says outside of calls. */
  private final class Listener implements LinkListener {
    private final String backend;
    private final Entry entry;

    Listener(String backend, Entry entry) {
      this.backend = backend;
      this.entry = entry;
    }

    @Override
    public void message(Envelope message) {
      if (closed) {
        return;
      }
      if (entry.link == null) {
        if (entry.early.size() < MAX_EARLY) {
          entry.early.add(message);
        }
        return;
      }
      for (ListKind kind : ListKind.changedBy(message.method())) {
        entry.stale.add(kind);
        session.listStale(backend, kind);
      }
      session.fromBackend(backend, entry.link, message);
    }

    @Override
    public void closed(String reason) {
      if (entry.link != null && entries.remove(backend, entry)) {
        session.linkClosed(backend, entry.link);
      }
    }
  }
}
