package io.fairlead.store;

/** One session's share of the event store: its logs and their bytes. */
public final class SessionEvents {

  SessionEvents() {}

  /**
   * Opens a log.
   *
   * @param stream the stream part of its event ids
   * @param forgotten called once, in the turn in which the log is forgotten (expired, closed, or
   *     its last trace evicted)
   */
  public EventLog open(String stream, Runnable forgotten) {
    throw new UnsupportedOperationException("stub");
  }

  public long bytes() {
    throw new UnsupportedOperationException("stub");
  }

  /** Forgets all logs. Idempotent. */
  public void close() {
    throw new UnsupportedOperationException("stub");
  }
}
