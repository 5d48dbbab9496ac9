package io.fairlead.store;

/**
 * A growing ring of events in the order of their sequences. The first {@code taken} of them are
 * behind the reader.
 *
 * <pre>
 *   head            head + taken          head + size
 *   | taken, kept for resuming | unread        |
 * </pre>
 *
 * <p>Thread: the owner's. Owner: its {@link Lanes}.
 */
final class Lane {

  private static final int FIRST_CAPACITY = 2;
  // a ring of this size is not worth giving back: a stream that takes and evicts in turn would pay
  private static final int SMALL = 16;

  private Event[] ring = new Event[FIRST_CAPACITY];
  private int head;
  private int size;
  private int taken;

  int size() {
    return size;
  }

  int taken() {
    return taken;
  }

  void add(Event event) {
    if (size == ring.length) {
      resize(size * 2);
    }
    size++;
    set(size - 1, event);
  }

  /** Removes the oldest event, taken or not. */
  Event removeFirst() {
    Event event = at(0);
    set(0, null);
    head = (head + 1) & (ring.length - 1);
    size--;
    if (taken > 0) {
      taken--;
    }
    if (ring.length > SMALL && size <= ring.length / 4) {
      resize(ring.length / 2);
    }
    return event;
  }

  Event first() {
    return at(0);
  }

  /** The oldest event that the reader has not taken, null if there is none. */
  Event unread() {
    return taken == size ? null : at(taken);
  }

  void take() {
    taken++;
  }

  /** Moves the reader after {@code cursor}; costs no more than the events that it will read. */
  void seek(long cursor) {
    taken = size;
    while (taken > 0 && at(taken - 1).sequence() > cursor) {
      taken--;
    }
  }

  /** How many events lie after {@code cursor}. */
  int after(long cursor) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (at(middle).sequence() > cursor) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return size - low;
  }

  Event at(int index) {
    return ring[(head + index) & (ring.length - 1)];
  }

  private void set(int index, Event event) {
    ring[(head + index) & (ring.length - 1)] = event;
  }

  private void resize(int capacity) {
    Event[] resized = new Event[capacity];
    for (int i = 0; i < size; i++) {
      resized[i] = at(i);
    }
    ring = resized;
    head = 0;
  }
}
