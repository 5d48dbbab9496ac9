package io.fairlead.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/** One random schedule, run on the store and on the model, compared after each step. */
final class Schedule {

  private static final int SESSIONS = 2;
  private static final int MAX_LOGS = 7;
  private static final int MAX_DATA = 1_600;

  /** A log of the store beside its twin in the model. */
  private static final class Pair {
    final EventLog real;
    final NaiveLog naive;
    int forgotten;

    Pair(EventLog real, NaiveLog naive) {
      this.real = real;
      this.naive = naive;
    }
  }

  private final Random random;
  private final List<Retention> choices;
  private final StoreFixture fixture;
  private final NaiveStore naive;
  private final List<SessionEvents> sessions = new ArrayList<>();
  private final List<Pair> pairs = new ArrayList<>();
  private final List<String> trace = new ArrayList<>();
  private boolean retained;

  Schedule(Random random, List<Retention> choices) {
    this.random = random;
    this.choices = choices;
    Retention bounds = choices.get(random.nextInt(choices.size()));
    trace.add(bounds.toString());
    fixture = new StoreFixture(bounds);
    naive = new NaiveStore(bounds);
    for (int i = 0; i < SESSIONS; i++) {
      sessions.add(fixture.store.openSession());
    }
  }

  void step() {
    List<Pair> alive = pairs.stream().filter(pair -> !pair.real.closed()).toList();
    if (alive.isEmpty() || alive.size() < MAX_LOGS && random.nextInt(12) == 0) {
      open();
    } else {
      Pair pair = alive.get(random.nextInt(alive.size()));
      step(pair);
      compareCursors(pair);
    }
    compare();
  }

  void closeAll() {
    pairs.forEach(this::compareCursors);
    sessions.forEach(SessionEvents::close);
    naive.logs.clear();
    compare();
    assertEquals(0, fixture.store.logs());
    assertEquals(0, fixture.store.bytes());
  }

  private void step(Pair pair) {
    switch (random.nextInt(20)) {
      case 0, 1, 2 -> attach(pair);
      case 3 -> detach(pair);
      case 4, 5, 6, 7, 8 -> take(pair, 1 + random.nextInt(6));
      case 9 -> end(pair);
      case 10 -> pass();
      case 11 -> rarely(pair);
      default -> append(pair);
    }
  }

  private void open() {
    int session = random.nextInt(SESSIONS);
    trace.add("open in " + session);
    Pair[] holder = new Pair[1];
    EventLog real = sessions.get(session).open("s" + pairs.size(), () -> holder[0].forgotten++);
    holder[0] = new Pair(real, naive.open(session));
    pairs.add(holder[0]);
  }

  private void append(Pair pair) {
    if (pair.real.ended()) {
      return;
    }
    int burst = random.nextInt(24) == 0 ? random.nextInt(3 * Pack.SIZE) : 1;
    for (int i = 0; i < burst; i++) {
      EventKind kind = EventKind.values()[random.nextInt(8) / 6 + random.nextInt(8) / 7];
      byte[] data =
          new byte[random.nextInt(10) == 0 ? random.nextInt(MAX_DATA) : random.nextInt(99)];
      random.nextBytes(data);
      trace.add("append " + kind + " of " + data.length + " to " + name(pair));
      naive.append(pair.naive, kind, data);
      assertEquals(pair.naive.last(), pair.real.append(kind, data));
      compare();
    }
  }

  private void attach(Pair pair) {
    long cursor = random.nextLong(pair.naive.last() + 1);
    trace.add("attach " + name(pair) + " at " + cursor);
    pair.real.attach(cursor);
    naive.attach(pair.naive, cursor);
  }

  private void detach(Pair pair) {
    if (pair.real.attached()) {
      trace.add("detach " + name(pair));
      pair.real.detach();
      naive.detach(pair.naive);
    }
  }

  /** The reader's own view: in order, without a repeat, every missing event told as a gap. */
  private void take(Pair pair, int most) {
    trace.add("take " + most + " of " + name(pair));
    for (int i = 0; i < most && pair.real.hasNext(); i++) {
      long before = pair.real.cursor();
      long gap = pair.real.gap();
      Event event = pair.real.next();
      NaiveLog.Held expected = naive.take(pair.naive);
      assertEquals(before + gap + 1, event.sequence());
      assertEquals(expected.sequence(), event.sequence());
      assertEquals(expected.kind(), event.kind());
      assertArrayEquals(expected.data(), event.data());
      compare();
    }
  }

  private void end(Pair pair) {
    if (!pair.real.ended()) {
      trace.add("end " + name(pair));
      pair.real.end();
      naive.end(pair.naive, fixture.nanoTime);
    }
  }

  private void pass() {
    trace.add("10 ms pass");
    fixture.nanoTime += 10_000_000;
    fixture.store.expire();
    naive.expire(fixture.nanoTime);
  }

  private void rarely(Pair pair) {
    if (random.nextBoolean()) {
      trace.add("close " + name(pair));
      pair.real.close();
      naive.logs.remove(pair.naive);
    } else if (random.nextInt(4) == 0) {
      Retention bounds = choices.get(random.nextInt(choices.size()));
      trace.add("retain " + bounds);
      fixture.store.retain(bounds);
      naive.bounds = bounds;
      retained = true;
    }
  }

  private void compare() {
    assertEquals(naive.evicted, fixture.evicted);
    naive.evicted.clear();
    fixture.evicted.clear();
    assertEquals(naive.logs.size(), fixture.store.logs());
    assertEquals(naive.bytes(any -> true), fixture.store.bytes());
    assertEquals(
        naive.logs.stream().mapToLong(log -> log.held.size()).sum(), fixture.store.events());
    for (int i = 0; i < SESSIONS; i++) {
      int session = i;
      assertEquals(naive.bytes(log -> log.session == session), sessions.get(i).bytes());
    }
    pairs.forEach(this::compare);
    if (!retained) {
      assertBudgets();
    }
  }

  /** What holds however the rules are written; not after a change of bounds, until an append. */
  private void assertBudgets() {
    Retention bounds = naive.bounds;
    for (NaiveLog log : naive.logs) {
      assertTrue(log.kept() <= bounds.maxEventsPerStream());
      assertTrue(log.retainedBytes() <= bounds.maxBytesPerStream() + excess(log.attached));
    }
    for (int i = 0; i < SESSIONS; i++) {
      int session = i;
      assertHeld(log -> log.session == session, bounds.maxBytesPerSession());
    }
    assertHeld(any -> true, bounds.maxBytes());
  }

  private void assertHeld(Predicate<NaiveLog> scope, long bound) {
    List<NaiveLog> logs = naive.logs.stream().filter(scope).toList();
    long overhead = (long) logs.size() * Retention.LOG_OVERHEAD;
    long excess = excess(logs.stream().anyMatch(log -> log.attached));
    assertTrue(naive.held(scope) <= Math.max(bound, overhead) + excess);
  }

  /** An attached reader may hold one event over a bound. */
  private static long excess(boolean attached) {
    return attached ? MAX_DATA + Retention.EVENT_OVERHEAD : 0;
  }

  private void compare(Pair pair) {
    EventLog real = pair.real;
    boolean alive = naive.logs.contains(pair.naive);
    assertEquals(alive, !real.closed());
    assertEquals(alive ? 0 : 1, pair.forgotten);
    if (!alive) {
      assertFalse(real.hasNext());
      return;
    }
    assertEquals(pair.naive.rank, real.rank());
    assertEquals(pair.naive.cursor, real.cursor());
    assertEquals(pair.naive.next().isPresent(), real.hasNext());
    assertEquals(pair.naive.evictedResponse > pair.naive.cursor, real.resultEvicted());
    assertEquals(lags(pair.naive), real.lagsByHalf());
    assertEquals(resume(pair.naive, 0), real.resume(0));
  }

  private void compareCursors(Pair pair) {
    for (long cursor = 0; cursor <= pair.naive.last() && !pair.real.closed(); cursor++) {
      assertEquals(resume(pair.naive, cursor), pair.real.resume(cursor));
    }
  }

  private boolean lags(NaiveLog log) {
    long unread = log.count(log::isUnread);
    return log.attached
        && unread > 0
        && (unread >= naive.bounds.maxEventsPerStream() / 2.0
            || log.bytes(log::isUnread) >= naive.bounds.maxBytesPerStream() / 2);
  }

  private static Resume resume(NaiveLog log, long cursor) {
    return log.evictedResponse > cursor
        ? new Resume.ResultEvicted()
        : new Resume.Continues(log.gap(cursor));
  }

  private String name(Pair pair) {
    return pair.real.stream();
  }

  @Override
  public String toString() {
    return "step " + trace.size() + ":\n  " + String.join("\n  ", trace);
  }
}
