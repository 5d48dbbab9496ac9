package io.fairlead.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A store under test, with a clock that the test moves and a record of what was evicted. */
final class StoreFixture {

  static final Duration TTL = Duration.ofMinutes(5);

  /** Bounds that nothing in a small test meets. */
  static final Retention WIDE = new Retention(1024, 8 << 20, 16 << 20, 64 << 20, TTL);

  final List<EventKind> evicted = new ArrayList<>();
  final EventStore store;
  long nanoTime = Long.MAX_VALUE - 1_000;

  StoreFixture(Retention retention) {
    store = new EventStore(retention, () -> nanoTime, evicted::add);
  }

  static StoreFixture wide() {
    return new StoreFixture(WIDE);
  }

  static Retention maxEvents(int events) {
    return new Retention(events, 8 << 20, 16 << 20, 64 << 20, TTL);
  }

  static Retention maxStreamBytes(long bytes) {
    return new Retention(1024, bytes, 16 << 20, 64 << 20, TTL);
  }

  static Retention maxSessionBytes(long bytes) {
    return new Retention(1024, 8 << 20, bytes, 64 << 20, TTL);
  }

  static Retention maxBytes(long bytes) {
    return new Retention(1024, 8 << 20, 16 << 20, bytes, TTL);
  }

  EventLog open() {
    return open(store.openSession());
  }

  EventLog open(SessionEvents session) {
    return session.open("stream", () -> {});
  }

  void pass(Duration time) {
    nanoTime += time.toNanos();
  }

  /** Appends events of one kind, each of {@code cost} bytes in all. */
  static void append(EventLog log, EventKind kind, int count, int cost) {
    for (int i = 0; i < count; i++) {
      log.append(kind, new byte[cost - Retention.EVENT_OVERHEAD]);
    }
  }

  /** Takes all that the reader can take, as sequences; a gap shows as its negative size. */
  static List<Long> take(EventLog log) {
    return take(log, Integer.MAX_VALUE);
  }

  static List<Long> take(EventLog log, int most) {
    List<Long> taken = new ArrayList<>();
    for (int i = 0; i < most && log.hasNext(); i++) {
      if (log.gap() > 0) {
        taken.add(-log.gap());
      }
      taken.add(log.next().sequence());
    }
    return taken;
  }

  /** What a new reader after {@code cursor} would get. */
  static List<Long> replay(EventLog log, long cursor) {
    log.attach(cursor);
    return take(log);
  }
}
