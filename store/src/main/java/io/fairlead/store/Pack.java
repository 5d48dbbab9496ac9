package io.fairlead.store;

import java.util.Arrays;

/**
 * Small events in a row, in one array: what a garbage collector pays for an object is paid once for
 * all of them. It stays as long as one of them is retained.
 *
 * <p>Thread: any; immutable.
 */
final class Pack {
  /** How many events are packed. */
  static final int SIZE = 16;

  /** Longer ones gain too little: the bytes of those in a pack that have gone are kept. */
  private static final int MAX_LENGTH = 512;

  private final long first;
  private final long[] sequences = new long[SIZE];
  private final EventKind[] kinds = new EventKind[SIZE];
  private final int[] ends = new int[SIZE];
  private final byte[] bytes;

  /**
   * @param first the place of the first event in its lane
   * @param events as many as the size
   */
  Pack(long first, Event[] events) {
    this.first = first;
    int end = 0;
    for (int i = 0; i < SIZE; i++) {
      sequences[i] = events[i].sequence();
      kinds[i] = events[i].kind();
      end += events[i].data().length;
      ends[i] = end;
    }
    this.bytes = new byte[end];
    for (int i = 0; i < SIZE; i++) {
      System.arraycopy(events[i].data(), 0, bytes, start(i), ends[i] - start(i));
    }
  }

  static boolean takes(Event event) {
    return event.data().length <= MAX_LENGTH;
  }

  Head head(long place) {
    int index = index(place);
    return new Head(sequences[index], kinds[index], ends[index] - start(index));
  }

  /** The event, in bytes of its own. */
  Event event(long place) {
    int index = index(place);
    byte[] data = Arrays.copyOfRange(bytes, start(index), ends[index]);
    return new Event(sequences[index], kinds[index], data);
  }

  private int index(long place) {
    return (int) (place - first);
  }

  private int start(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }
}
