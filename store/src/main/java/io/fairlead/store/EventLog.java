package io.fairlead.store;

/**
 * The ring that holds one stream's events, and the cursor of its one reader. Replay and live
 * delivery are the same code: attach sets the cursor, {@link #next()} moves it.
 */
public final class EventLog {

  EventLog() {}

  public String stream() {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * Gives the event its number and puts it into the ring. What is behind the attached reader goes
   * first when a bound is met; an event that the attached reader has not taken yet counts against
   * bytes only, never against the number of events.
   *
   * @return the event's sequence
   */
  public long append(EventKind kind, byte[] data) {
    throw new UnsupportedOperationException("stub");
  }

  /** The last sequence given, 0 if none. */
  public long lastSequence() {
    throw new UnsupportedOperationException("stub");
  }

  /** What attaching at {@code cursor} would lead to; changes nothing. */
  public Resume resume(long cursor) {
    throw new UnsupportedOperationException("stub");
  }

  /** Attaches the reader after {@code cursor}; an earlier reader's cursor is replaced. */
  public void attach(long cursor) {
    throw new UnsupportedOperationException("stub");
  }

  public void detach() {
    throw new UnsupportedOperationException("stub");
  }

  /** The attached reader's cursor: the sequence of the last event it took. */
  public long cursor() {
    throw new UnsupportedOperationException("stub");
  }

  /** Whether an event is retained after the attached reader's cursor. */
  public boolean hasNext() {
    throw new UnsupportedOperationException("stub");
  }

  /** Takes the next event and moves the cursor to it. */
  public Event next() {
    throw new UnsupportedOperationException("stub");
  }

  /** Whether the attached reader lags by half a ring, in events or in bytes. */
  public boolean lagsByHalf() {
    throw new UnsupportedOperationException("stub");
  }

  /** Nothing more will be appended; the time to live starts. Idempotent. */
  public void end() {
    throw new UnsupportedOperationException("stub");
  }

  public boolean ended() {
    throw new UnsupportedOperationException("stub");
  }

  /** Forgets the log at once. Idempotent. */
  public void close() {
    throw new UnsupportedOperationException("stub");
  }
}
