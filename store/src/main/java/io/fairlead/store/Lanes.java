package io.fairlead.store;

import java.util.Arrays;

/**
 * The retained events of one stream, and the place of its reader in them.
 *
 * <p>There is a lane per kind. Each is in the order of sequences, and eviction within a kind takes
 * the oldest, so a lane never has a hole: only its head goes. The reader merges the lanes by
 * sequence. A fourth lane holds events that are too large to be retained and only pass to the
 * attached reader.
 *
 * <p>Thread: the owner's. Owner: its {@link EventLog}.
 */
final class Lanes {

  private static final int PASSING = EventKind.values().length;

  private final Lane[] lanes = new Lane[PASSING + 1];
  private int size;
  private int unread;
  private long bytes;
  private long unreadBytes;
  private long passingBytes;

  /** How many events are retained; those that only pass are not among them. */
  int size() {
    return size;
  }

  /** How many of the retained events the reader has not taken. */
  int unread() {
    return unread;
  }

  int passing() {
    return lanes[PASSING] == null ? 0 : lanes[PASSING].size();
  }

  /** The bytes of the retained events. */
  long bytes() {
    return bytes;
  }

  long passingBytes() {
    return passingBytes;
  }

  /** The bytes of all that the reader has not taken, passing events included. */
  long unreadBytes() {
    return unreadBytes + passingBytes;
  }

  boolean holds(EventKind kind) {
    Lane lane = lanes[kind.ordinal()];
    return lane != null && lane.size() > 0;
  }

  void add(Event event) {
    lane(event.kind().ordinal()).add(event);
    size++;
    unread++;
    bytes += event.cost();
    unreadBytes += event.cost();
  }

  void pass(Event event) {
    lane(PASSING).add(event);
    passingBytes += event.cost();
  }

  /** What is known of the reader's next event, null if there is none. */
  Head peek() {
    int next = nextLane();
    return next < 0 ? null : lanes[next].unread();
  }

  /**
   * Moves the reader past the next event, which {@link #peek} says is there; one that only passes
   * is left there.
   */
  Event take() {
    int next = nextLane();
    Event event = lanes[next].unreadEvent();
    if (next != PASSING) {
      lanes[next].take();
      unread--;
      unreadBytes -= event.cost();
    }
    return event;
  }

  /** Where the reader's next event is, -1 if there is none. */
  private int nextLane() {
    int next = -1;
    long least = Long.MAX_VALUE;
    for (int i = 0; i < lanes.length; i++) {
      Head head = lanes[i] == null ? null : lanes[i].unread();
      if (head != null && head.sequence() < least) {
        next = i;
        least = head.sequence();
      }
    }
    return next;
  }

  /** Moves the reader after {@code cursor}. */
  void seek(long cursor) {
    unread = 0;
    unreadBytes = 0;
    for (int i = 0; i < PASSING; i++) {
      Lane lane = lanes[i];
      if (lane != null) {
        lane.seek(cursor);
        unread += lane.size() - lane.taken();
        for (int j = lane.taken(); j < lane.size(); j++) {
          unreadBytes += lane.head(j).cost();
        }
      }
    }
  }

  /** How many events lie after {@code cursor}, passing ones included. */
  long after(long cursor) {
    long count = 0;
    for (Lane lane : lanes) {
      count += lane == null ? 0 : lane.after(cursor);
    }
    return count;
  }

  /**
   * Removes the oldest event that the reader has taken, notifications before requests before
   * responses; null if there is none.
   */
  Head removeTaken() {
    for (int i = 0; i < PASSING; i++) {
      if (lanes[i] != null && lanes[i].taken() > 0) {
        return remove(i);
      }
    }
    return null;
  }

  /**
   * Removes the oldest event of the least kind that is retained; null if there is none up to {@code
   * limit}.
   */
  Head removeUpTo(EventKind limit) {
    for (int i = 0; i <= limit.ordinal(); i++) {
      if (lanes[i] != null && lanes[i].size() > 0) {
        return remove(i);
      }
    }
    return null;
  }

  /** Removes the oldest passing event up to {@code cursor}; null if there is none. */
  Head removePassing(long cursor) {
    if (passing() == 0 || lanes[PASSING].head(0).sequence() > cursor) {
      return null;
    }
    Head removed = lanes[PASSING].removeFirst();
    passingBytes -= removed.cost();
    return removed;
  }

  /** Gives the empty rings back. */
  void release() {
    Arrays.fill(lanes, null);
  }

  private Head remove(int index) {
    Lane lane = lanes[index];
    boolean wasTaken = lane.taken() > 0;
    Head removed = lane.removeFirst();
    size--;
    bytes -= removed.cost();
    if (!wasTaken) {
      unread--;
      unreadBytes -= removed.cost();
    }
    return removed;
  }

  private Lane lane(int index) {
    if (lanes[index] == null) {
      lanes[index] = new Lane();
    }
    return lanes[index];
  }
}
