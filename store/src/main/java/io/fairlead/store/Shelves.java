package io.fairlead.store;

/**
 * The logs of a session, or all logs, by what they have to lose.
 *
 * <p>Thread: the owner's. Owner: a {@link SessionEvents}, or the {@link EventStore}.
 */
final class Shelves {

  private static final Rank[] RANKS = Rank.values();

  private final int place;
  private final LogList[] lists = new LogList[RANKS.length];

  Shelves(int place) {
    this.place = place;
  }

  void add(EventLog log, Rank rank) {
    LogList list = lists[rank.ordinal()];
    if (list == null) {
      list = new LogList(place);
      lists[rank.ordinal()] = list;
    }
    list.add(log);
  }

  void remove(EventLog log, Rank rank) {
    lists[rank.ordinal()].remove(log);
  }

  /** The log that has had {@code rank} for longest, null if there is none. */
  EventLog first(Rank rank) {
    LogList list = lists[rank.ordinal()];
    return list == null ? null : list.first();
  }

  /** The log to evict from first, among those of a rank up to {@code limit}; null if none. */
  EventLog firstUpTo(Rank limit) {
    for (int i = 0; i <= limit.ordinal(); i++) {
      if (lists[i] != null && lists[i].first() != null) {
        return lists[i].first();
      }
    }
    return null;
  }

  int size(Rank rank) {
    LogList list = lists[rank.ordinal()];
    return list == null ? 0 : list.size();
  }
}
