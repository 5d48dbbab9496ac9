package io.fairlead.store;

import java.util.NoSuchElementException;

/**
 * The ring that holds one stream's events, and the cursor of its one reader. Replay and live
 * delivery are the same code: attach sets the cursor, {@link #next()} moves it.
 *
 * <p>What is retained, and what goes first when a bound is met:
 *
 * <ul>
 *   <li>What the attached reader has taken goes first. What it has not taken yet counts against
 *       bytes only, never against the number of events.
 *   <li>Then notifications go before requests before responses, oldest first. An event never takes
 *       the place of one that is worth more: where only such are left, it is evicted itself, or,
 *       with a reader attached, exceeds the bound until it was taken or the next event comes.
 *   <li>An event that fits no bound is held for the attached reader alone, besides the bounds, and
 *       goes when it was taken; it is evicted at once when nobody is attached.
 *   <li>When the last event of an ended stream has gone, the log stays as a tombstone until its
 *       time to live has passed, so that {@link #resume} can tell the truth.
 * </ul>
 *
 * <p>Thread: the owner's. Owner: a stream of the gateway, which ends or closes it.
 */
public final class EventLog {

  /** The places where {@link LogList}s link this log. */
  final EventLog[] links = new EventLog[LogList.LINKS];

  private final EventStore store;
  private final SessionEvents session;
  private final String stream;
  private final Runnable forgotten;
  private final Lanes lanes = new Lanes();
  private Rank rank = Rank.IDLE;
  private long lastSequence;
  private long cursor;
  private long evictedResponse;
  private long endedAt;
  private boolean attached;
  private boolean ended;
  private boolean closed;

  EventLog(EventStore store, SessionEvents session, String stream, Runnable forgotten) {
    this.store = store;
    this.session = session;
    this.stream = stream;
    this.forgotten = forgotten;
  }

  /** The stream part of its event ids. */
  public String stream() {
    return stream;
  }

  /**
   * Gives the event its number and puts it into the ring.
   *
   * @return the event's sequence
   * @throws IllegalStateException if the log has ended or is closed
   */
  public long append(EventKind kind, byte[] data) {
    if (ended || closed) {
      throw new IllegalStateException(
          "nothing is appended to a log that is over: ended=" + ended + " closed=" + closed);
    }
    lastSequence++;
    Event event = new Event(lastSequence, kind, data);
    if (store.isTooLarge(session, event.cost())) {
      if (attached) {
        pass(event);
      } else {
        evicted(event.head());
      }
    } else if (makeRoom(event) & store.eviction().makeRoom(this, event) || attached) {
      lanes.add(event);
      store.added(session, event.cost(), 0);
    } else {
      evicted(event.head());
    }
    shelve();
    store.callForgotten();
    return event.sequence();
  }

  /** The last sequence given, 0 if none. */
  public long lastSequence() {
    return lastSequence;
  }

  /** What attaching at {@code after} would lead to; changes nothing. */
  public Resume resume(long after) {
    if (after < 0 || after > lastSequence) {
      return new Resume.NeverIssued();
    }
    return evictedResponse > after
        ? new Resume.ResultEvicted()
        : new Resume.Continues(lastSequence - after - lanes.after(after));
  }

  /**
   * Attaches the reader after a cursor; an earlier reader's cursor is replaced. Events that are
   * held for the reader alone pass on to the new one: there is no need to detach before.
   *
   * @throws IllegalArgumentException if the cursor was never issued
   * @throws IllegalStateException if the log is closed
   */
  public void attach(long after) {
    if (after < 0 || after > lastSequence) {
      throw new IllegalArgumentException(
          "the cursor was never issued: cursor=" + after + " lastSequence=" + lastSequence);
    }
    if (closed) {
      throw new IllegalStateException("nobody reads a closed log: lastSequence=" + lastSequence);
    }
    attached = true;
    cursor = after;
    lanes.seek(after);
    settle();
  }

  /** The reader leaves; all events are now kept, within the bounds, for its return. Idempotent. */
  public void detach() {
    if (attached) {
      attached = false;
      settle();
    }
  }

  public boolean attached() {
    return attached;
  }

  /** The reader's cursor: the sequence of the last event it took. */
  public long cursor() {
    return cursor;
  }

  /** Whether an event is retained after the attached reader's cursor. */
  public boolean hasNext() {
    return attached && lanes.peek() != null;
  }

  /**
   * How many events between the cursor and the event that {@link #next} will give, or the end if
   * there is none, were evicted: the reader is to say so before it writes that event.
   */
  public long gap() {
    Head next = lanes.peek();
    return (next == null ? lastSequence : next.sequence() - 1) - cursor;
  }

  /** Whether the final response lies after the cursor and was evicted: it will never come. */
  public boolean resultEvicted() {
    return evictedResponse > cursor;
  }

  /**
   * Takes the next event and moves the cursor to it.
   *
   * @throws NoSuchElementException if there is none
   */
  public Event next() {
    if (!hasNext()) {
      throw new NoSuchElementException(
          "no event for the reader: attached=" + attached + " cursor=" + cursor);
    }
    Event event = lanes.take();
    cursor = event.sequence();
    settle();
    return event;
  }

  /** Whether it holds an event that fits no bound, besides the bounds, until it is taken. */
  public boolean holdsBesidesBounds() {
    return lanes.passing() > 0;
  }

  /** Whether the attached reader lags by half a ring, in events or in bytes. */
  public boolean lagsByHalf() {
    long unread = (long) lanes.unread() + lanes.passing();
    Retention bounds = store.retention();
    return attached
        && unread > 0
        && (2 * unread >= bounds.maxEventsPerStream()
            || lanes.unreadBytes() >= bounds.maxBytesPerStream() / 2);
  }

  /** Nothing more will be appended; the time to live starts. Idempotent. */
  public void end() {
    if (!ended && !closed) {
      ended = true;
      endedAt = store.ended(this);
      shelve();
      store.callForgotten();
    }
  }

  public boolean ended() {
    return ended;
  }

  /** Forgets the log at once. Idempotent. */
  public void close() {
    forget();
    store.callForgotten();
  }

  /** Whether the log is forgotten: closed, expired, or its last trace evicted. */
  public boolean closed() {
    return closed;
  }

  SessionEvents session() {
    return session;
  }

  Rank rank() {
    return rank;
  }

  long endedAt() {
    return endedAt;
  }

  Lanes lanes() {
    return lanes;
  }

  /** Evicts what is worth least: an event, or the whole log if it is a tombstone. */
  void evict() {
    if (rank == Rank.TOMBSTONE) {
      forget();
    } else {
      evictEvent(EventKind.RESPONSE);
    }
  }

  /** Leaves all lists and counts; the callback is due when the change is complete. */
  void forget() {
    if (closed) {
      return;
    }
    closed = true;
    attached = false;
    store.unshelve(this, rank);
    while (lanes.size() > 0) {
      store.removed(session, lanes.removeUpTo(EventKind.RESPONSE).cost(), 0);
    }
    while (lanes.passing() > 0) {
      store.removed(session, 0, lanes.removePassing(lastSequence).cost());
    }
    lanes.release();
    store.forgot(this, forgotten);
  }

  /** Makes room in the stream; false if what is left is worth more than the event. */
  private boolean makeRoom(Event event) {
    // as in Eviction: what exceeds the bounds already goes first, whatever it is worth
    return evictUntilFits(0, EventKind.RESPONSE) && evictUntilFits(event.cost(), event.kind());
  }

  private boolean evictUntilFits(long cost, EventKind limit) {
    while (exceeds(cost)) {
      if (!evictEvent(limit)) {
        return false;
      }
    }
    return true;
  }

  private boolean exceeds(long cost) {
    Retention bounds = store.retention();
    int more = cost == 0 || attached ? 0 : 1;
    return kept() + more > bounds.maxEventsPerStream()
        || lanes.bytes() + cost > bounds.maxBytesPerStream();
  }

  /** Restores the bounds after the reader moved, came or went. */
  private void settle() {
    long end = attached ? cursor : lastSequence;
    while (evictPassing(end)) {
      // what only passes to the reader goes as soon as it is behind it, or nobody is there
    }
    while (exceeds(0) && (attached ? evictTaken() : evictEvent(EventKind.RESPONSE))) {
      // what the reader has not taken may stay over the bound: the next event sees to that
    }
    shelve();
    store.eviction().makeRoom(this, 0, Rank.RUNNING_REQUESTS);
    store.callForgotten();
  }

  /** How many events count against the number that is kept for resuming. */
  private int kept() {
    return attached ? lanes.size() - lanes.unread() : lanes.size();
  }

  private void pass(Event event) {
    // a reader that does not take what passes it is bounded too
    long most = store.retention().maxBytesPerSession();
    while (lanes.passing() > 0 && lanes.passingBytes() + event.cost() > most) {
      evictPassing(lastSequence);
    }
    lanes.pass(event);
    store.added(session, 0, event.cost());
  }

  private boolean evictEvent(EventKind limit) {
    return attached && evictTaken() || evict(lanes.removeUpTo(limit));
  }

  private boolean evictTaken() {
    return evict(lanes.removeTaken());
  }

  private boolean evictPassing(long end) {
    Head event = lanes.removePassing(end);
    if (event == null) {
      return false;
    }
    store.removed(session, 0, event.cost());
    evicted(event);
    return true;
  }

  private boolean evict(Head event) {
    if (event == null) {
      return false;
    }
    store.removed(session, event.cost(), 0);
    evicted(event);
    shelve();
    return true;
  }

  private void evicted(Head event) {
    if (event.kind() == EventKind.RESPONSE) {
      evictedResponse = Math.max(evictedResponse, event.sequence());
    }
    store.evicted(event.kind());
  }

  private void shelve() {
    Rank now = currentRank();
    if (now != rank) {
      store.unshelve(this, rank);
      rank = now;
      store.shelve(this, now);
      if (now == Rank.TOMBSTONE) {
        lanes.release();
        store.boundTombstones(session);
      }
    }
  }

  private Rank currentRank() {
    if (lanes.size() == 0) {
      return ended && lanes.passing() == 0 ? Rank.TOMBSTONE : Rank.IDLE;
    }
    if (ended && lanes.unread() == 0) {
      return Rank.TAKEN;
    }
    if (lanes.holds(EventKind.NOTIFICATION)) {
      return ended ? Rank.ENDED : Rank.RUNNING_NOTIFICATIONS;
    }
    if (lanes.holds(EventKind.REQUEST)) {
      return ended ? Rank.ENDED : Rank.RUNNING_REQUESTS;
    }
    return Rank.RESULT;
  }
}
