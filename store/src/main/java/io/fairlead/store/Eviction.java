package io.fairlead.store;

/**
 * Decides which log is evicted from when a session, or the whole store, is full.
 *
 * <p>Within a session: its logs by {@link Rank}, those that have had theirs for longest first; but
 * among running streams the one that appends pays before its neighbours. In all: logs that were
 * taken, wherever they are, oldest first; then the session that appends, by the same order, before
 * other sessions; and other sessions' unread results only when it has none of its own to give.
 *
 * <p>Thread: the owner's. Owner: the {@link EventStore}.
 */
final class Eviction {

  private final EventStore store;

  Eviction(EventStore store) {
    this.store = store;
  }

  /**
   * Makes room for an event of {@code log}, from what is worth no more than the event.
   *
   * @return whether it fits now
   */
  boolean makeRoom(EventLog log, Event event) {
    if (fitsSession(log, event.cost()) && fitsStore(event.cost())) {
      return true;
    }
    // what exceeds the bounds already goes first, whatever it is worth: they may have been lowered
    makeRoom(log, 0, Rank.TOMBSTONE);
    return makeRoom(log, event.cost(), Rank.worth(event.kind()));
  }

  /**
   * Evicts until {@code cost} more bytes fit, from logs of a rank up to {@code limit}.
   *
   * @return whether they fit now
   */
  boolean makeRoom(EventLog log, long cost, Rank limit) {
    // both, though the session may be full for good: the store's bound is the store's
    return makeRoomInSession(log, cost, limit) & makeRoomInStore(log, cost, limit);
  }

  private boolean makeRoomInSession(EventLog log, long cost, Rank limit) {
    while (!fitsSession(log, cost)) {
      EventLog victim = inSession(log, limit);
      if (victim == null) {
        return false;
      }
      victim.evict();
    }
    return true;
  }

  private boolean makeRoomInStore(EventLog log, long cost, Rank limit) {
    while (!fitsStore(cost)) {
      EventLog victim = inStore(log, limit);
      if (victim == null) {
        return false;
      }
      victim.evict();
    }
    return true;
  }

  private boolean fitsSession(EventLog log, long cost) {
    return log.session().held() + cost <= store.retention().maxBytesPerSession();
  }

  private boolean fitsStore(long cost) {
    return store.held() + cost <= store.retention().maxBytes();
  }

  private static EventLog inSession(EventLog log, Rank limit) {
    EventLog victim = log.session().shelves().firstUpTo(limit);
    boolean running =
        victim != null
            && (victim.rank() == Rank.RUNNING_NOTIFICATIONS
                || victim.rank() == Rank.RUNNING_REQUESTS);
    return running && log.rank() == victim.rank() ? log : victim;
  }

  private EventLog inStore(EventLog log, Rank limit) {
    Rank unlessResult = lesser(limit, Rank.RUNNING_REQUESTS);
    EventLog victim = store.shelves().first(Rank.TAKEN);
    if (victim == null) {
      victim = inSession(log, unlessResult);
    }
    if (victim == null) {
      victim = store.shelves().firstUpTo(unlessResult);
    }
    if (victim == null) {
      victim = inSession(log, lesser(limit, Rank.RESULT));
    }
    return victim == null ? store.shelves().firstUpTo(limit) : victim;
  }

  private static Rank lesser(Rank one, Rank other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
