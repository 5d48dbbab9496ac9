package io.fairlead.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The store's rules in the plainest form: no list is kept in order, nothing is counted, every
 * question is answered by a scan. It is what {@link EventStoreModelTest} compares the store with.
 */
final class NaiveStore {

  final List<NaiveLog> logs = new ArrayList<>();
  final List<EventKind> evicted = new ArrayList<>();
  Retention bounds;
  private long changes;

  NaiveStore(Retention bounds) {
    this.bounds = bounds;
  }

  NaiveLog open(int session) {
    NaiveLog log = new NaiveLog(session);
    log.rankSince = ++changes;
    logs.add(log);
    makeRoom(log, 0, Rank.TOMBSTONE);
    return log;
  }

  void append(NaiveLog log, EventKind kind, byte[] data) {
    log.appended.add(kind);
    NaiveLog.Held event = new NaiveLog.Held(log.last(), kind, data, false);
    if (isTooLarge(log, event.cost())) {
      passOrDrop(log, new NaiveLog.Held(log.last(), kind, data, true));
    } else if (makeRoomFor(log, event) || log.attached) {
      log.held.add(event);
    } else {
      lost(log, event);
    }
    rank(log);
  }

  void attach(NaiveLog log, long cursor) {
    log.attached = true;
    log.cursor = cursor;
    settle(log);
  }

  void detach(NaiveLog log) {
    log.attached = false;
    settle(log);
  }

  NaiveLog.Held take(NaiveLog log) {
    NaiveLog.Held next = log.next().orElseThrow();
    log.cursor = next.sequence();
    settle(log);
    return next;
  }

  void end(NaiveLog log, long now) {
    log.ended = true;
    log.endedAt = now;
    rank(log);
  }

  void expire(long now) {
    logs.removeIf(log -> log.ended && now - log.endedAt >= bounds.ttl().toNanos());
  }

  long held(Predicate<NaiveLog> scope) {
    return sum(scope, log -> Retention.LOG_OVERHEAD + log.retainedBytes());
  }

  long bytes(Predicate<NaiveLog> scope) {
    return held(scope) + sum(scope, NaiveLog::passingBytes);
  }

  private boolean isTooLarge(NaiveLog log, long cost) {
    long beside = logs.stream().filter(other -> other.session == log.session).count();
    return cost > bounds.maxBytesPerStream()
        || cost + beside * Retention.LOG_OVERHEAD > bounds.maxBytesPerSession()
        || cost + (long) logs.size() * Retention.LOG_OVERHEAD > bounds.maxBytes();
  }

  private void passOrDrop(NaiveLog log, NaiveLog.Held event) {
    if (!log.attached) {
      lost(log, event);
      return;
    }
    while (log.passingBytes() > 0
        && log.passingBytes() + event.cost() > bounds.maxBytesPerSession()) {
      remove(log, log.held.stream().filter(NaiveLog.Held::passing).findFirst().orElseThrow());
    }
    log.held.add(event);
  }

  private boolean makeRoomFor(NaiveLog log, NaiveLog.Held event) {
    boolean inStream = makeRoomInStream(log, event);
    makeRoom(log, 0, Rank.TOMBSTONE);
    return makeRoom(log, event.cost(), Rank.worth(event.kind())) && inStream;
  }

  private boolean makeRoomInStream(NaiveLog log, NaiveLog.Held event) {
    while (log.kept() > bounds.maxEventsPerStream()
        || log.retainedBytes() > bounds.maxBytesPerStream()) {
      remove(log, log.least(Optional.of(EventKind.RESPONSE)).orElseThrow());
      rank(log);
    }
    while (log.kept() + (log.attached ? 0 : 1) > bounds.maxEventsPerStream()
        || log.retainedBytes() + event.cost() > bounds.maxBytesPerStream()) {
      Optional<NaiveLog.Held> least = log.least(Optional.of(event.kind()));
      if (least.isEmpty()) {
        return false;
      }
      remove(log, least.get());
      rank(log);
    }
    return true;
  }

  private boolean makeRoom(NaiveLog log, long cost, Rank limit) {
    Predicate<NaiveLog> session = other -> other.session == log.session;
    boolean fits =
        makeRoom(session, bounds.maxBytesPerSession() - cost, () -> inSession(log, limit));
    return makeRoom(any -> true, bounds.maxBytes() - cost, () -> inStore(log, limit)) && fits;
  }

  private boolean makeRoom(
      Predicate<NaiveLog> scope, long bound, Supplier<Optional<NaiveLog>> next) {
    while (held(scope) > bound) {
      Optional<NaiveLog> victim = next.get();
      if (victim.isEmpty()) {
        return false;
      }
      evictFrom(victim.get());
    }
    return true;
  }

  private Optional<NaiveLog> inSession(NaiveLog log, Rank limit) {
    Optional<NaiveLog> first = first(limit, other -> other.session == log.session);
    return first.map(
        victim ->
            victim.rank == log.rank && !victim.ended && victim.rank != Rank.RESULT ? log : victim);
  }

  private Optional<NaiveLog> inStore(NaiveLog log, Rank limit) {
    Rank unread = min(limit, Rank.RUNNING_REQUESTS);
    return first(Rank.TAKEN, any -> true)
        .or(() -> inSession(log, unread))
        .or(() -> first(unread, any -> true))
        .or(() -> inSession(log, min(limit, Rank.RESULT)))
        .or(() -> first(limit, any -> true));
  }

  private Optional<NaiveLog> first(Rank limit, Predicate<NaiveLog> scope) {
    return logs.stream()
        .filter(scope)
        .filter(log -> log.rank.compareTo(limit) <= 0)
        .min(Comparator.<NaiveLog, Rank>comparing(log -> log.rank).thenComparing(l -> l.rankSince));
  }

  private void evictFrom(NaiveLog log) {
    if (log.rank == Rank.TOMBSTONE) {
      logs.remove(log);
    } else {
      remove(log, log.least(Optional.of(EventKind.RESPONSE)).orElseThrow());
      rank(log);
    }
  }

  private void settle(NaiveLog log) {
    for (NaiveLog.Held event : List.copyOf(log.held)) {
      if (event.passing() && (!log.attached || event.sequence() <= log.cursor)) {
        remove(log, event);
      }
    }
    Optional<EventKind> limit = log.attached ? Optional.empty() : Optional.of(EventKind.RESPONSE);
    while ((log.kept() > bounds.maxEventsPerStream()
            || log.retainedBytes() > bounds.maxBytesPerStream())
        && log.least(limit).isPresent()) {
      remove(log, log.least(limit).get());
      rank(log);
    }
    rank(log);
    makeRoom(log, 0, Rank.RUNNING_REQUESTS);
  }

  private void remove(NaiveLog log, NaiveLog.Held event) {
    log.held.remove(event);
    boolean taken = log.attached && event.sequence() <= log.cursor;
    if (event.kind() == EventKind.RESPONSE && !event.passing() && !taken) {
      assertEquals(0, log.count(e -> !e.passing() && e.kind() != EventKind.RESPONSE));
    }
    lost(log, event);
  }

  private void lost(NaiveLog log, NaiveLog.Held event) {
    evicted.add(event.kind());
    if (event.kind() == EventKind.RESPONSE) {
      log.evictedResponse = Math.max(log.evictedResponse, event.sequence());
    }
  }

  private void rank(NaiveLog log) {
    Rank now = log.currentRank();
    if (now == log.rank) {
      return;
    }
    log.rank = now;
    log.rankSince = ++changes;
    if (now == Rank.TOMBSTONE) {
      boundTombstones(other -> other.session == log.session, bounds.maxBytesPerSession());
      boundTombstones(any -> true, bounds.maxBytes());
    }
  }

  private void boundTombstones(Predicate<NaiveLog> scope, long bytes) {
    Predicate<NaiveLog> tombstones = scope.and(log -> log.rank == Rank.TOMBSTONE);
    while (logs.stream().filter(tombstones).count()
        > Math.max(1, bytes / 8 / Retention.LOG_OVERHEAD)) {
      logs.remove(first(Rank.TOMBSTONE, tombstones).orElseThrow());
    }
  }

  private long sum(Predicate<NaiveLog> scope, ToLongFunction<NaiveLog> amount) {
    long sum = 0;
    for (NaiveLog log : logs) {
      sum += scope.test(log) ? amount.applyAsLong(log) : 0;
    }
    return sum;
  }

  private static Rank min(Rank one, Rank other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
