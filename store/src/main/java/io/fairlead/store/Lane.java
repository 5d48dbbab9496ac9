package io.fairlead.store;

/**
 * A growing ring of events in the order of their sequences. The first {@code taken} of them are
 * behind the reader.
 *
 * <pre>
 *   start           start + taken               start + size
 *   | taken, kept for resuming | unread                  |
 *   | in packs for the most part     | as they came      |
 * </pre>
 *
 * <p>Thread: the owner's. Owner: its {@link Lanes}.
 */
final class Lane {

  private static final int FIRST_CAPACITY = 2;
  // a ring of this size is not worth giving back: a stream that takes and evicts in turn would pay
  private static final int SMALL = 16;

  /** An {@link Event}, or the {@link Pack} that it is in. */
  private Object[] ring = new Object[FIRST_CAPACITY];

  private int start;
  private int size;
  private int taken;

  /** How many of the newest stand alone and may be packed. */
  private int loose;

  /** How many went before the first: an event's place is counted from the lane's beginning. */
  private long gone;

  int size() {
    return size;
  }

  int taken() {
    return taken;
  }

  /** Adds an event, which stays as it is for as long as it is the newest. */
  void add(Event event) {
    if (loose == Pack.SIZE) {
      pack();
    }
    if (size == ring.length) {
      resize(size * 2);
    }
    size++;
    set(size - 1, event);
    loose = Pack.takes(event) ? loose + 1 : 0;
  }

  private void pack() {
    int from = size - Pack.SIZE;
    Event[] events = new Event[Pack.SIZE];
    for (int i = 0; i < Pack.SIZE; i++) {
      events[i] = at(from + i);
    }
    Pack pack = new Pack(gone + from, events);
    for (int i = from; i < size; i++) {
      set(i, pack);
    }
    loose = 0;
  }

  /** Removes the oldest event, taken or not. */
  Head removeFirst() {
    Head removed = head(0);
    set(0, null);
    start = (start + 1) & (ring.length - 1);
    size--;
    gone++;
    loose = Math.min(loose, size);
    if (taken > 0) {
      taken--;
    }
    if (ring.length > SMALL && size <= ring.length / 4) {
      resize(ring.length / 2);
    }
    return removed;
  }

  /** What is known of the oldest event that the reader has not taken, null if there is none. */
  Head unread() {
    return taken == size ? null : head(taken);
  }

  /** The oldest event that the reader has not taken; a copy of one that is packed. */
  Event unreadEvent() {
    return at(taken);
  }

  void take() {
    taken++;
  }

  /** Moves the reader after {@code cursor}; costs no more than the events that it will read. */
  void seek(long cursor) {
    taken = size;
    while (taken > 0 && sequence(taken - 1) > cursor) {
      taken--;
    }
  }

  /** How many events lie after {@code cursor}. */
  int after(long cursor) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sequence(middle) > cursor) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return size - low;
  }

  Head head(int index) {
    Object slot = slot(index);
    return slot instanceof Pack pack ? pack.head(gone + index) : ((Event) slot).head();
  }

  private Event at(int index) {
    Object slot = slot(index);
    return slot instanceof Pack pack ? pack.event(gone + index) : (Event) slot;
  }

  private long sequence(int index) {
    return head(index).sequence();
  }

  private Object slot(int index) {
    return ring[(start + index) & (ring.length - 1)];
  }

  private void set(int index, Object event) {
    ring[(start + index) & (ring.length - 1)] = event;
  }

  private void resize(int capacity) {
    Object[] resized = new Object[capacity];
    for (int i = 0; i < size; i++) {
      resized[i] = slot(i);
    }
    ring = resized;
    start = 0;
  }
}
