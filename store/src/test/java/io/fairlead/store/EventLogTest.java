package io.fairlead.store;

import static io.fairlead.store.EventKind.NOTIFICATION;
import static io.fairlead.store.EventKind.REQUEST;
import static io.fairlead.store.EventKind.RESPONSE;
import static io.fairlead.store.StoreFixture.append;
import static io.fairlead.store.StoreFixture.replay;
import static io.fairlead.store.StoreFixture.take;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

/** One stream within its bounds: numbers, cursor, replay, resume. Streams 1 to 3. */
class EventLogTest {

  private final StoreFixture fixture = StoreFixture.wide();
  private final EventLog log = fixture.open();

  @Test
  void appendNumbersEventsFromOne() {
    assertEquals(0, log.lastSequence());
    assertEquals(1, log.append(NOTIFICATION, new byte[1]));
    assertEquals(2, log.append(RESPONSE, new byte[1]));
    assertEquals(2, log.lastSequence());
  }

  @Test
  void readerTakesKindAndDataAsTheyWereAppended() {
    log.attach(0);
    log.append(REQUEST, new byte[] {1, 2});
    Event event = log.next();
    assertEquals(1, event.sequence());
    assertEquals(REQUEST, event.kind());
    assertArrayEquals(new byte[] {1, 2}, event.data());
  }

  @Test
  void readerThatKeepsUpTakesTheVeryArrays() {
    log.attach(0);
    for (int i = 0; i < 3 * Pack.SIZE; i++) {
      byte[] data = {(byte) i};
      log.append(NOTIFICATION, data);
      assertSame(data, log.next().data());
    }
  }

  @Test
  void readerTakesAllKindsInTheOrderOfAppending() {
    append(log, NOTIFICATION, 2, 100);
    append(log, REQUEST, 1, 100);
    append(log, NOTIFICATION, 1, 100);
    append(log, RESPONSE, 1, 100);
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L), replay(log, 0));
  }

  @Test
  void readerGetsNothingBeforeItIsAttached() {
    append(log, NOTIFICATION, 1, 100);
    assertFalse(log.hasNext());
    assertThrows(NoSuchElementException.class, log::next);
  }

  @Test
  void replayExcludesTheCursor() {
    append(log, NOTIFICATION, 3, 100);
    assertEquals(List.of(3L), replay(log, 2));
    assertEquals(List.of(), replay(log, 3));
  }

  @Test
  void eventAppendedBetweenReplayAndLiveIsTakenOnce() {
    append(log, NOTIFICATION, 3, 100);
    log.attach(1);
    assertEquals(List.of(2L), take(log, 1));
    append(log, NOTIFICATION, 1, 100);
    assertEquals(List.of(3L, 4L), take(log));
    append(log, RESPONSE, 1, 100);
    log.end();
    assertEquals(List.of(5L), take(log));
    assertFalse(log.hasNext());
  }

  @Test
  void streamThatEndsExactlyBetweenReplayAndLiveStillDeliversItsResponse() {
    append(log, NOTIFICATION, 2, 100);
    assertEquals(List.of(1L, 2L), replay(log, 0));
    log.append(RESPONSE, new byte[10]);
    log.end();
    assertTrue(log.hasNext());
    assertEquals(RESPONSE, log.next().kind());
  }

  @Test
  void responseStoredWhileNobodyIsAttachedReachesEveryLaterReader() {
    append(log, RESPONSE, 1, 100);
    log.end();
    assertEquals(List.of(1L), replay(log, 0));
    log.detach();
    assertEquals(List.of(1L), replay(log, 0));
  }

  @Test
  void attachReplacesTheEarlierReader() {
    append(log, NOTIFICATION, 3, 100);
    log.attach(0);
    take(log, 2);
    log.attach(1);
    assertEquals(1, log.cursor());
    assertEquals(List.of(2L, 3L), take(log));
  }

  @Test
  void detachedReaderGetsNothingAndItsCursorStays() {
    append(log, NOTIFICATION, 3, 100);
    log.attach(0);
    take(log, 2);
    log.detach();
    log.detach();
    assertFalse(log.attached());
    assertFalse(log.hasNext());
    assertEquals(2, log.cursor());
  }

  @Test
  void resumeContinuesFromEveryCursorThatWasIssued() {
    append(log, NOTIFICATION, 2, 100);
    for (long cursor = 0; cursor <= 2; cursor++) {
      assertEquals(new Resume.Continues(0), log.resume(cursor));
    }
  }

  @Test
  void resumeSaysNeverIssuedForTheFutureAndForNegativeCursors() {
    append(log, NOTIFICATION, 2, 100);
    for (long cursor : new long[] {3, Long.MAX_VALUE, -1, Long.MIN_VALUE}) {
      assertEquals(new Resume.NeverIssued(), log.resume(cursor));
      assertThrows(IllegalArgumentException.class, () -> log.attach(cursor));
    }
    assertFalse(log.attached());
  }

  @Test
  void resumeFoldsEachOutcomeIntoItsOwnFunction() {
    assertEquals("7", fold(new Resume.Continues(7)));
    assertEquals("evicted", fold(new Resume.ResultEvicted()));
    assertEquals("never", fold(new Resume.NeverIssued()));
  }

  @Test
  void appendIsRefusedWhenTheLogHasEnded() {
    log.end();
    log.end();
    assertTrue(log.ended());
    assertThrows(IllegalStateException.class, () -> log.append(RESPONSE, new byte[1]));
    assertEquals(0, log.lastSequence());
  }

  @Test
  void closedLogRefusesEventsAndReadersAndHoldsNothing() {
    append(log, NOTIFICATION, 3, 100);
    log.attach(0);
    log.close();
    log.close();
    log.end();
    assertTrue(log.closed());
    assertFalse(log.hasNext());
    assertThrows(IllegalStateException.class, () -> log.append(RESPONSE, new byte[1]));
    assertThrows(IllegalStateException.class, () -> log.attach(0));
    assertEquals(0, fixture.store.events());
    assertEquals(0, fixture.store.bytes());
    assertEquals(0, fixture.store.logs());
  }

  @Test
  void gaugesCountDataAndOverhead() {
    EventStore store = fixture.store;
    assertEquals(1, store.logs());
    assertEquals(Retention.LOG_OVERHEAD, store.bytes());
    log.append(NOTIFICATION, new byte[300]);
    assertEquals(1, store.events());
    assertEquals(Retention.LOG_OVERHEAD + 300 + Retention.EVENT_OVERHEAD, store.bytes());
    assertEquals(store.bytes(), log.session().bytes());
    assertEquals(1, log.session().logs());
  }

  private static String fold(Resume resume) {
    return resume.fold(Long::toString, () -> "evicted", () -> "never");
  }
}
