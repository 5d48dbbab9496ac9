package io.fairlead.store;

import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/**
 * All event logs and their budgets.
 *
 * <p>Thread: one at a time (the owner's); nothing here locks. Owner: the gateway.
 */
public final class EventStore {

  // logs of which nothing is left may hold this part of a bound; the oldest are forgotten beyond it
  private static final int TOMBSTONE_PART = 8;

  /** Told of each eviction, in the same turn. */
  public interface Listener {

    /**
     * An event was evicted, for a bound's sake or because it was too large to be retained; events
     * of a log that expires or is closed are not evicted. Called in the middle of a change: must
     * not call the store.
     */
    void evicted(EventKind kind);
  }

  private final LongSupplier nanoTime;
  private final Listener listener;
  private final Eviction eviction = new Eviction(this);
  private final Shelves shelves = new Shelves(LogList.IN_STORE);
  private final LogList byEnd = new LogList(LogList.BY_END);
  private final ArrayDeque<Runnable> forgotten = new ArrayDeque<>();
  private Retention retention;
  private long ttlNanos;
  private long events;
  private long held;
  private long passing;
  private int logs;
  private boolean calling;

  /**
   * @param nanoTime a monotonic clock, in nanoseconds
   */
  public EventStore(Retention retention, LongSupplier nanoTime, Listener listener) {
    this.nanoTime = nanoTime;
    this.listener = listener;
    retain(retention);
  }

  /** A new session's share of the store. */
  public SessionEvents openSession() {
    return new SessionEvents(this);
  }

  /** Forgets the logs whose time to live has passed; costs no more than what it forgets. */
  public void expire() {
    long now = nanoTime.getAsLong();
    EventLog log = byEnd.first();
    while (log != null && now - log.endedAt() >= ttlNanos) {
      log.forget();
      callForgotten();
      log = byEnd.first();
    }
  }

  /** Changes the bounds; what exceeds them is evicted with the next append. */
  public void retain(Retention bounds) {
    retention = bounds;
    ttlNanos = nanos(bounds);
  }

  /** How many events are held. */
  public long events() {
    return events;
  }

  /** The bytes of all logs and their events. */
  public long bytes() {
    return held + passing;
  }

  /** How many logs there are. */
  public int logs() {
    return logs;
  }

  Retention retention() {
    return retention;
  }

  Eviction eviction() {
    return eviction;
  }

  Shelves shelves() {
    return shelves;
  }

  /** The bytes that count against the bounds: all but those that only pass to a reader. */
  long held() {
    return held;
  }

  /** Whether an event of this cost fits no bound, whatever is evicted for it. */
  boolean isTooLarge(SessionEvents session, long cost) {
    return cost > retention.maxBytesPerStream()
        || cost + overhead(session.logs()) > retention.maxBytesPerSession()
        || cost + overhead(logs) > retention.maxBytes();
  }

  void opened(EventLog log) {
    logs++;
    count(log.session(), Retention.LOG_OVERHEAD, 0);
    shelve(log, Rank.IDLE);
    eviction.makeRoom(log, 0, Rank.TOMBSTONE);
    callForgotten();
  }

  /** Puts a log that has no shelf onto one. */
  void shelve(EventLog log, Rank rank) {
    log.session().shelves().add(log, rank);
    shelves.add(log, rank);
  }

  void unshelve(EventLog log, Rank rank) {
    log.session().shelves().remove(log, rank);
    shelves.remove(log, rank);
  }

  /** Forgets the oldest tombstones while they hold more than their part of a bound. */
  void boundTombstones(SessionEvents session) {
    bound(session.shelves(), retention.maxBytesPerSession());
    bound(shelves, retention.maxBytes());
  }

  long ended(EventLog log) {
    byEnd.add(log);
    return nanoTime.getAsLong();
  }

  void evicted(EventKind kind) {
    listener.evicted(kind);
  }

  void added(SessionEvents session, long heldMore, long passingMore) {
    events++;
    count(session, heldMore, passingMore);
  }

  void removed(SessionEvents session, long heldLess, long passingLess) {
    events--;
    count(session, -heldLess, -passingLess);
  }

  void forgot(EventLog log, Runnable callback) {
    if (log.ended()) {
      byEnd.remove(log);
    }
    logs--;
    log.session().forgot();
    count(log.session(), -Retention.LOG_OVERHEAD, 0);
    forgotten.add(callback);
  }

  /**
   * Runs the callbacks of the logs that were forgotten, now that the store is consistent. They may
   * call the store; what that forgets joins the queue, so that no chain of them grows the stack.
   */
  void callForgotten() {
    if (calling || forgotten.isEmpty()) {
      return;
    }
    calling = true;
    RuntimeException failure = null;
    for (Runnable next = forgotten.poll(); next != null; next = forgotten.poll()) {
      try {
        next.run();
      } catch (RuntimeException e) {
        failure = failure == null ? e : failure;
      }
    }
    calling = false;
    if (failure != null) {
      throw failure;
    }
  }

  private static void bound(Shelves shelves, long bytes) {
    long most = Math.max(1, bytes / TOMBSTONE_PART / Retention.LOG_OVERHEAD);
    while (shelves.size(Rank.TOMBSTONE) > most) {
      shelves.first(Rank.TOMBSTONE).forget();
    }
  }

  private void count(SessionEvents session, long heldMore, long passingMore) {
    held += heldMore;
    passing += passingMore;
    session.count(heldMore, passingMore);
  }

  private static long overhead(int logs) {
    return (long) logs * Retention.LOG_OVERHEAD;
  }

  private static long nanos(Retention bounds) {
    try {
      return bounds.ttl().toNanos();
    } catch (ArithmeticException e) {
      // 292 years are as good as any longer time to live
      return Long.MAX_VALUE;
    }
  }
}
