package io.fairlead.store;

/**
 * One session's share of the event store: its logs and their bytes. Costs next to nothing until its
 * first log is opened.
 *
 * <p>Thread: the owner's. Owner: a session of the gateway, which closes it.
 */
public final class SessionEvents {

  private final EventStore store;
  // null until the first log is opened
  private Shelves shelves;
  private long held;
  private long passing;
  private int logs;
  private boolean closed;

  SessionEvents(EventStore store) {
    this.store = store;
  }

  /**
   * Opens a log.
   *
   * @param stream the stream part of its event ids
   * @param forgotten called once, in the turn in which the log is forgotten (expired, closed, or
   *     its last trace evicted), when the store is consistent again: it may call the store. When
   *     such a call forgets further logs, their callbacks run after this one
   * @throws IllegalStateException if the session is closed
   */
  public EventLog open(String stream, Runnable forgotten) {
    if (closed) {
      throw new IllegalStateException("a closed session opens no log: logs=" + logs);
    }
    if (shelves == null) {
      shelves = new Shelves(LogList.IN_SESSION);
    }
    EventLog log = new EventLog(store, this, stream, forgotten);
    logs++;
    store.opened(log);
    return log;
  }

  /** The bytes of its logs and their events. */
  public long bytes() {
    return held + passing;
  }

  /** How many logs it has. */
  public int logs() {
    return logs;
  }

  /** Forgets all logs, and opens no more. Idempotent. */
  public void close() {
    closed = true;
    while (logs > 0) {
      shelves.firstUpTo(Rank.IDLE).forget();
    }
    shelves = null;
    store.callForgotten();
  }

  /** The bytes that count against the bounds: all but those that only pass to a reader. */
  long held() {
    return held;
  }

  Shelves shelves() {
    return shelves;
  }

  void count(long heldMore, long passingMore) {
    held += heldMore;
    passing += passingMore;
  }

  void forgot() {
    logs--;
  }
}
