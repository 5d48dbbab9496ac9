package io.fairlead.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What a log is, in the plainest form: a list of events and scans over it. */
final class NaiveLog {

  /**
   * An event that is held.
   *
   * @param passing whether it is held for the attached reader alone
   */
  record Held(long sequence, EventKind kind, byte[] data, boolean passing) {

    long cost() {
      return data.length + (long) Retention.EVENT_OVERHEAD;
    }
  }

  final int session;
  final List<Held> held = new ArrayList<>();
  final List<EventKind> appended = new ArrayList<>();
  long cursor;
  long evictedResponse;
  long endedAt;
  boolean attached;
  boolean ended;
  Rank rank = Rank.IDLE;
  long rankSince;

  NaiveLog(int session) {
    this.session = session;
  }

  long last() {
    return appended.size();
  }

  boolean isTaken(Held event) {
    return !event.passing() && event.sequence() <= cursor;
  }

  boolean isUnread(Held event) {
    return event.sequence() > cursor;
  }

  Optional<Held> next() {
    return held.stream().filter(event -> attached && isUnread(event)).findFirst();
  }

  long count(Predicate<Held> which) {
    long count = 0;
    for (Held event : held) {
      count += which.test(event) ? 1 : 0;
    }
    return count;
  }

  long bytes(Predicate<Held> which) {
    long bytes = 0;
    for (Held event : held) {
      bytes += which.test(event) ? event.cost() : 0;
    }
    return bytes;
  }

  /** How many events count against the number kept for resuming. */
  long kept() {
    return count(attached ? this::isTaken : event -> !event.passing());
  }

  long retainedBytes() {
    return bytes(event -> !event.passing());
  }

  long passingBytes() {
    return bytes(Held::passing);
  }

  long gap(long after) {
    return last() - after - count(event -> event.sequence() > after);
  }

  /** The least event: taken ones of any kind first, then those of a kind up to {@code limit}. */
  Optional<Held> least(Optional<EventKind> limit) {
    Optional<Held> taken = attached ? firstOfLeastKind(this::isTaken) : Optional.empty();
    return taken.or(
        () ->
            limit.flatMap(
                kind ->
                    firstOfLeastKind(
                        event -> !event.passing() && event.kind().compareTo(kind) <= 0)));
  }

  Rank currentRank() {
    Optional<Held> least = firstOfLeastKind(event -> !event.passing());
    if (least.isEmpty()) {
      return ended && held.isEmpty() ? Rank.TOMBSTONE : Rank.IDLE;
    }
    if (ended && count(event -> !event.passing() && isUnread(event)) == 0) {
      return Rank.TAKEN;
    }
    return switch (least.get().kind()) {
      case NOTIFICATION -> ended ? Rank.ENDED : Rank.RUNNING_NOTIFICATIONS;
      case REQUEST -> ended ? Rank.ENDED : Rank.RUNNING_REQUESTS;
      case RESPONSE -> Rank.RESULT;
    };
  }

  private Optional<Held> firstOfLeastKind(Predicate<Held> which) {
    Held least = null;
    for (Held event : held) {
      if (which.test(event) && (least == null || event.kind().compareTo(least.kind()) < 0)) {
        least = event;
      }
    }
    return Optional.ofNullable(least);
  }
}
