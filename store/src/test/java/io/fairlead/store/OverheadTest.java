package io.fairlead.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

/** That the bytes which the store counts are the bytes which the heap pays. Streams 8 and 11. */
class OverheadTest {

  private static final int MANY = 20_000;

  private final EventStore store = store(1024);
  private final StreamIds ids = new StreamIds(new SecureRandom());

  @Test
  void countedBytesAreWhatTheHeapPays() {
    SessionEvents session = store.openSession();
    EventLog[] logs = new EventLog[MANY];
    long before = usedHeap();
    for (int i = 0; i < MANY; i++) {
      logs[i] = session.open(ids.next(), new Object()::hashCode);
      StoreFixture.append(logs[i], EventKind.NOTIFICATION, 9, 200);
      StoreFixture.append(logs[i], EventKind.RESPONSE, 1, 200);
    }
    double ratio = (usedHeap() - before) / (double) store.bytes();
    assertTrue(ratio > 0.85 && ratio < 1.1, () -> "heap / counted = " + ratio);
    assertEquals(MANY, logs.length);
  }

  @Test
  void manySmallEventsOfOneStreamCostLessThanIsCounted() {
    EventLog[] logs = new EventLog[MANY / 100];
    SessionEvents session = store.openSession();
    long before = usedHeap();
    for (int i = 0; i < logs.length; i++) {
      logs[i] = session.open(ids.next(), () -> {});
      StoreFixture.append(logs[i], EventKind.NOTIFICATION, 1000, 200);
    }
    double ratio = (usedHeap() - before) / (double) store.bytes();
    assertTrue(ratio < 0.9, () -> "heap / counted = " + ratio);
    assertEquals(200 * 1000, store.events());
  }

  @Test
  void unusedSessionCostsLessThan64Bytes() {
    SessionEvents[] sessions = new SessionEvents[MANY * 10];
    long before = usedHeap();
    for (int i = 0; i < sessions.length; i++) {
      sessions[i] = store.openSession();
    }
    long each = (usedHeap() - before) / sessions.length;
    assertTrue(each < 64, () -> "bytes of an unused session = " + each);
    assertEquals(0, sessions[0].bytes());
  }

  @Test
  void burstThatAReaderTookGivesItsRingBack() {
    EventLog log = store.openSession().open("s", () -> {});
    log.attach(0);
    long before = usedHeap();
    StoreFixture.append(log, EventKind.NOTIFICATION, 1_000_000, Retention.EVENT_OVERHEAD);
    log.append(EventKind.RESPONSE, new byte[0]);
    StoreFixture.take(log);
    long left = usedHeap() - before;
    assertTrue(left < 200_000, () -> "bytes that a burst left = " + left);
    assertEquals(1024, store.events());
  }

  @Test
  void tombstoneGivesItsRingsBack() {
    EventStore small = store(0);
    SessionEvents session = small.openSession();
    EventLog[] logs = new EventLog[MANY];
    long before = usedHeap();
    for (int i = 0; i < MANY; i++) {
      logs[i] = session.open("s", () -> {});
      logs[i].attach(0);
      StoreFixture.append(logs[i], EventKind.NOTIFICATION, 64, 100);
      StoreFixture.append(logs[i], EventKind.RESPONSE, 1, 100);
      StoreFixture.take(logs[i]);
      logs[i].end();
    }
    long each = (usedHeap() - before) / MANY;
    assertTrue(each < Retention.LOG_OVERHEAD, () -> "bytes of a tombstone = " + each);
    assertEquals(MANY, small.logs());
    assertEquals(0, small.events());
    assertTrue(logs[0].resume(0) instanceof Resume.ResultEvicted);
  }

  private static EventStore store(int maxEvents) {
    Retention bounds = new Retention(maxEvents, 1L << 40, 1L << 40, 1L << 40, StoreFixture.TTL);
    return new EventStore(bounds, System::nanoTime, kind -> {});
  }

  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
