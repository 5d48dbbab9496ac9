package io.fairlead.gateway.session;

import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.backend.BackendFailure;
import io.fairlead.gateway.backend.Link;
import io.fairlead.gateway.backend.LinkListener;
import io.fairlead.gateway.backend.LinkRequest;
import io.fairlead.gateway.route.ListKind;
import io.fairlead.gateway.route.Listing;
import io.fairlead.gateway.route.View;
import io.fairlead.wire.Envelope;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One session's own links, a backend each, opened with the first message for it.
 *
 * <p>Thread: owner loop. Owner: {@link Session}.
 */
final class PrivateLinks implements Links {
  private static final int MAX_EARLY = 64;
  private static final Duration REOPEN = Duration.ofSeconds(1);

  private static final class Entry {
    final Backend backend;
    final Promise<Link> opened = Promise.promise();

    /** What the backend said before its handshake was over. */
    final List<Envelope> early = new ArrayList<>(0);

    Link link;

    /** Lists that the backend said have changed, and that were not read since. */
    final Set<ListKind> stale = EnumSet.noneOf(ListKind.class);

    /** Reads that are under way, the latest of each list. */
    final Map<ListKind, Listing> reading = new EnumMap<>(ListKind.class);

    Entry(Backend backend) {
      this.backend = backend;
    }
  }

  private final Session session;
  private final Map<String, Backend> backends;
  private final Map<String, Entry> entries = new HashMap<>(4);

  /** Links to backends that were removed or replaced, for the calls that run on them. */
  private final Set<Entry> retired = new LinkedHashSet<>(0);

  private final OwnLists lists = new OwnLists();
  private OwnerLoop.Timer reopening = OwnerLoop.Timer.NONE;
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
          new BackendFailure(
              "backend_unavailable", "backend " + backend + " is no longer configured"));
    }
    Entry entry = new Entry(target);
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
      retired.remove(entry);
      entry.opened.fail(result.cause());
      return;
    }
    if (closed || entries.get(backend) != entry && !retired.contains(entry)) {
      result.result().close();
      entry.opened.fail(new BackendFailure("session_closed", "nobody waits for the link"));
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
  public View view(View shared) {
    return lists.over(shared);
  }

  @Override
  public void stale(String backend, ListKind kind) {
    Optional.ofNullable(entries.get(backend)).ifPresent(entry -> entry.stale.add(kind));
  }

  @Override
  public Future<Void> refresh(ListKind kind) {
    List<Future<?>> reads = new ArrayList<>();
    entries.forEach(
        (backend, entry) -> {
          if (entry.link != null && entry.stale.remove(kind)) {
            read(backend, entry, kind);
          }
          Optional.ofNullable(entry.reading.get(kind)).ifPresent(read -> reads.add(read.items()));
        });
    return Future.join(reads).otherwiseEmpty().mapEmpty();
  }

  /** The latest read of a list counts; one that is overtaken is stopped by its end or by time. */
  private void read(String backend, Entry entry, ListKind kind) {
    Listing listing =
        Listing.begin(
            session.loop().vertx(),
            entry.link,
            kind,
            session.principal(),
            message -> session.fromBackend(backend, entry.link, message));
    entry.reading.put(kind, listing);
    listing
        .items()
        .onComplete(
            items -> {
              if (entry.reading.remove(kind, listing)) {
                lists.put(backend, kind, items);
              }
            },
            failure -> {
              if (entry.reading.remove(kind, listing)) {
                entry.stale.add(kind);
              }
            });
  }

  @Override
  public void retire(String backend) {
    Entry entry = entries.remove(backend);
    if (entry != null) {
      retired.add(entry);
      forgetLists(backend, entry);
    }
  }

  @Override
  public Future<Void> release(Backend backend) {
    return close(retired.stream().filter(entry -> entry.backend == backend).toList());
  }

  @Override
  public Future<Void> close() {
    closed = true;
    reopening.cancel();
    Map<String, Entry> last = Map.copyOf(entries);
    entries.clear();
    last.forEach(this::forgetLists);
    List<Entry> all = new ArrayList<>(last.values());
    all.addAll(retired);
    return close(all);
  }

  private Future<Void> close(List<Entry> ended) {
    List<Future<?>> closing = new ArrayList<>();
    for (Entry entry : ended) {
      retired.remove(entry);
      if (entry.link != null) {
        session.linkClosed(entry.backend.name(), entry.link);
        closing.add(entry.link.close());
      }
    }
    return Future.join(closing).otherwiseEmpty().mapEmpty();
  }

  private void forgetLists(String backend, Entry entry) {
    lists.forget(backend);
    List.copyOf(entry.reading.values()).forEach(Listing::cancel);
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
      session.fromBackend(backend, entry.link, message);
    }

    @Override
    public void renewed() {
      if (entry.link != null && !closed) {
        session.linkRenewed(backend, entry.link);
      }
    }

    @Override
    public void closed(String reason) {
      if (entry.link == null) {
        return;
      }
      if (retired.remove(entry)) {
        session.linkClosed(backend, entry.link);
      } else if (entries.remove(backend, entry)) {
        forgetLists(backend, entry);
        session.linkClosed(backend, entry.link);
        if (session.settings().subscribes(backend)) {
          // nobody may send anything for long, so the subscriptions are restored without waiting
          reopening.cancel();
          reopening = session.loop().after(REOPEN, () -> link(backend));
        }
      }
    }
  }
}
