package io.fairlead.store;

/**
 * What a log has to lose, in the order of eviction: within a session, and in all, logs of an
 * earlier rank are evicted from before those of a later one.
 */
enum Rank {
  /** Ended, and the reader took all that is retained. */
  TAKEN,
  /** Ended, unread, with notifications or requests. */
  ENDED,
  /** Running, with notifications. */
  RUNNING_NOTIFICATIONS,
  /** Running, with requests and no notification. */
  RUNNING_REQUESTS,
  /** Only a response is left, and it is unread. */
  RESULT,
  /** Ended, and nothing is left but the knowledge of what was: evicting it forgets the log. */
  TOMBSTONE,
  /** Running, and nothing is retained: there is nothing to evict. */
  IDLE;

  /** The last rank that room is made from for an event of {@code kind}: its own worth. */
  static Rank worth(EventKind kind) {
    return switch (kind) {
      case NOTIFICATION -> RUNNING_NOTIFICATIONS;
      case REQUEST -> RUNNING_REQUESTS;
      case RESPONSE -> TOMBSTONE;
    };
  }
}
