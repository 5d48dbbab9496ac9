package io.fairlead.store;

/**
 * A doubly linked list of logs, in the order in which they came. The links live in the logs ({@link
 * EventLog#links}), so that nothing is allocated and any log leaves in constant time. A log is in
 * at most one list per place.
 *
 * <p>Thread: the owner's. Owner: a session's or the store's {@link Shelves}, or the store.
 */
final class LogList {

  /** Places of links in a log: its session's shelves, the store's shelves, the ended logs. */
  static final int IN_SESSION = 0;

  static final int IN_STORE = 2;
  static final int BY_END = 4;
  static final int LINKS = 6;

  private final int place;
  private EventLog first;
  private EventLog last;
  private int size;

  LogList(int place) {
    this.place = place;
  }

  int size() {
    return size;
  }

  /** The log that came first, null if there is none. */
  EventLog first() {
    return first;
  }

  void add(EventLog log) {
    log.links[place] = last;
    log.links[place + 1] = null;
    if (last == null) {
      first = log;
    } else {
      last.links[place + 1] = log;
    }
    last = log;
    size++;
  }

  void remove(EventLog log) {
    EventLog before = log.links[place];
    EventLog after = log.links[place + 1];
    if (before == null) {
      first = after;
    } else {
      before.links[place + 1] = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.links[place] = before;
    }
    log.links[place] = null;
    log.links[place + 1] = null;
    size--;
  }
}
