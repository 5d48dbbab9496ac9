package io.fairlead.store;

import static io.fairlead.store.EventKind.NOTIFICATION;
import static io.fairlead.store.EventKind.REQUEST;
import static io.fairlead.store.EventKind.RESPONSE;
import static io.fairlead.store.StoreFixture.append;
import static io.fairlead.store.StoreFixture.maxEvents;
import static io.fairlead.store.StoreFixture.maxStreamBytes;
import static io.fairlead.store.StoreFixture.replay;
import static io.fairlead.store.StoreFixture.take;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The bounds of one stream, in events and bytes. Streams 7, 8 and 18. */
class StreamBoundsTest {

  @Test
  void oldestNotificationsGoWhenNobodyIsAttached() {
    StoreFixture fixture = new StoreFixture(maxEvents(3));
    EventLog log = fixture.open();
    append(log, NOTIFICATION, 5, 100);
    assertEquals(new Resume.Continues(2), log.resume(0));
    assertEquals(new Resume.Continues(1), log.resume(1));
    assertEquals(new Resume.Continues(0), log.resume(2));
    assertEquals(List.of(NOTIFICATION, NOTIFICATION), fixture.evicted);
    assertEquals(List.of(-2L, 3L, 4L, 5L), replay(log, 0));
  }

  @Test
  void notificationsGoBeforeRequestsAndTheResponseIsTheLast() {
    StoreFixture fixture = new StoreFixture(maxEvents(3));
    EventLog log = fixture.open();
    append(log, REQUEST, 1, 100);
    append(log, NOTIFICATION, 1, 100);
    append(log, REQUEST, 2, 100);
    append(log, RESPONSE, 1, 100);
    assertEquals(List.of(NOTIFICATION, REQUEST), fixture.evicted);
    assertEquals(List.of(-2L, 3L, 4L, 5L), replay(log, 0));
  }

  @Test
  void gapsAreToldWhereTheyLie() {
    EventLog log = new StoreFixture(maxEvents(3)).open();
    append(log, REQUEST, 1, 100);
    append(log, NOTIFICATION, 2, 100);
    append(log, REQUEST, 1, 100);
    append(log, NOTIFICATION, 2, 100);
    assertEquals(new Resume.Continues(3), log.resume(0));
    assertEquals(List.of(1L, -2L, 4L, -1L, 6L), replay(log, 0));
  }

  @Test
  void notificationIsEvictedItselfWhenOnlyRequestsAreLeft() {
    StoreFixture fixture = new StoreFixture(maxEvents(2));
    EventLog log = fixture.open();
    append(log, REQUEST, 2, 100);
    append(log, NOTIFICATION, 1, 100);
    assertEquals(List.of(NOTIFICATION), fixture.evicted);
    assertEquals(3, log.lastSequence());
    assertEquals(new Resume.Continues(1), log.resume(2));
    assertEquals(List.of(1L, 2L), replay(log, 0));
    assertEquals(1, log.gap());
  }

  @Test
  void whatTheAttachedReaderTookGoesFirstWhateverItsKind() {
    StoreFixture fixture = new StoreFixture(maxStreamBytes(500));
    EventLog log = fixture.open();
    log.attach(0);
    append(log, REQUEST, 2, 100);
    append(log, NOTIFICATION, 3, 100);
    take(log, 2);
    append(log, NOTIFICATION, 2, 100);
    assertEquals(List.of(REQUEST, REQUEST), fixture.evicted);
    assertEquals(List.of(3L, 4L, 5L, 6L, 7L), take(log));
  }

  @Test
  void numberOfEventsBoundsOnlyWhatTheAttachedReaderTook() {
    StoreFixture fixture = new StoreFixture(maxEvents(16));
    EventLog log = fixture.open();
    log.attach(0);
    append(log, NOTIFICATION, 9_999, 100);
    append(log, RESPONSE, 1, 100);
    log.end();
    assertEquals(LongStream.rangeClosed(1, 10_000).boxed().toList(), take(log));
    assertEquals(16, fixture.store.events());
    assertEquals(new Resume.Continues(0), log.resume(9_984));
    assertEquals(new Resume.Continues(1), log.resume(9_983));
  }

  @Test
  void detachLeavesNoMoreThanTheBoundOfWhatWasUnread() {
    StoreFixture fixture = new StoreFixture(maxEvents(4));
    EventLog log = fixture.open();
    log.attach(0);
    append(log, NOTIFICATION, 10, 100);
    append(log, REQUEST, 1, 100);
    append(log, RESPONSE, 1, 100);
    log.detach();
    assertEquals(4, fixture.store.events());
    assertEquals(List.of(-8L, 9L, 10L, 11L, 12L), replay(log, 0));
  }

  @Test
  void readerThatReturnsFurtherOnLeavesNoMoreThanTheBoundBehind() {
    StoreFixture fixture = new StoreFixture(maxEvents(2));
    EventLog log = fixture.open();
    log.attach(0);
    append(log, NOTIFICATION, 10, 100);
    log.attach(8);
    assertEquals(4, fixture.store.events());
    assertEquals(List.of(9L, 10L), take(log));
  }

  @Test
  void readerThatLagsOverTheBytesLosesNotificationsThenRequestsNeverTheResponseBefore() {
    StoreFixture fixture = new StoreFixture(maxStreamBytes(300));
    EventLog log = fixture.open();
    log.attach(0);
    append(log, NOTIFICATION, 2, 100);
    append(log, REQUEST, 2, 100);
    append(log, NOTIFICATION, 1, 100);
    append(log, RESPONSE, 1, 200);
    log.end();
    assertEquals(List.of(NOTIFICATION, NOTIFICATION, NOTIFICATION, REQUEST), fixture.evicted);
    assertEquals(List.of(-3L, 4L, -1L, 6L), take(log));
  }

  @Test
  void attachedReaderGetsANotificationThatOnlyRequestsLeaveNoRoomFor() {
    StoreFixture fixture = new StoreFixture(maxStreamBytes(200));
    EventLog log = fixture.open();
    log.attach(0);
    append(log, REQUEST, 2, 100);
    append(log, NOTIFICATION, 1, 100);
    assertEquals(List.of(), fixture.evicted);
    append(log, NOTIFICATION, 1, 100);
    assertEquals(List.of(NOTIFICATION), fixture.evicted);
    assertEquals(List.of(1L, 2L, -1L, 4L), take(log));
    assertEquals(2, fixture.store.events());
  }

  @Test
  void responseThatIsEvictedLeavesATombstone() {
    StoreFixture fixture = new StoreFixture(maxEvents(0));
    EventLog log = fixture.open();
    append(log, NOTIFICATION, 1, 100);
    append(log, RESPONSE, 1, 100);
    log.end();
    assertEquals(0, fixture.store.events());
    assertEquals(1, fixture.store.logs());
    assertFalse(log.closed());
    assertEquals(new Resume.ResultEvicted(), log.resume(0));
    assertEquals(new Resume.ResultEvicted(), log.resume(1));
    assertEquals(new Resume.Continues(0), log.resume(2));
    assertEquals(new Resume.NeverIssued(), log.resume(3));
    log.attach(0);
    assertTrue(log.resultEvicted());
    log.attach(2);
    assertFalse(log.resultEvicted());
  }

  @Test
  void liveDeliveryIsCompleteWhenNothingMayBeRetained() {
    StoreFixture fixture = new StoreFixture(new Retention(0, 0, 0, 0, StoreFixture.TTL));
    EventLog log = fixture.open();
    log.attach(0);
    for (long i = 1; i <= 5; i++) {
      append(log, i == 5 ? RESPONSE : NOTIFICATION, 1, 100);
      assertEquals(List.of(i), take(log));
    }
    assertEquals(0, fixture.store.events());
    assertEquals(Retention.LOG_OVERHEAD, fixture.store.bytes());
  }

  @Test
  void readerLagsByHalfARingOfEvents() {
    EventLog log = new StoreFixture(maxEvents(8)).open();
    log.attach(0);
    assertFalse(log.lagsByHalf());
    append(log, NOTIFICATION, 3, 100);
    assertFalse(log.lagsByHalf());
    append(log, NOTIFICATION, 1, 100);
    assertTrue(log.lagsByHalf());
    take(log, 1);
    assertFalse(log.lagsByHalf());
    append(log, NOTIFICATION, 1, 100);
    log.detach();
    assertFalse(log.lagsByHalf());
  }

  @Test
  void readerLagsByHalfARingOfBytes() {
    EventLog log = new StoreFixture(maxStreamBytes(1_000)).open();
    log.attach(0);
    append(log, NOTIFICATION, 4, 100);
    assertFalse(log.lagsByHalf());
    append(log, NOTIFICATION, 1, 100);
    assertTrue(log.lagsByHalf());
    take(log);
    assertFalse(log.lagsByHalf());
    log.attach(0);
    assertTrue(log.lagsByHalf());
  }

  @Test
  void loweredBoundsAreMetWithTheNextAppend() {
    StoreFixture fixture = StoreFixture.wide();
    EventLog log = fixture.open();
    append(log, NOTIFICATION, 10, 100);
    fixture.store.retain(maxEvents(3));
    assertEquals(10, fixture.store.events());
    append(log, NOTIFICATION, 1, 100);
    assertEquals(3, fixture.store.events());
    fixture.store.retain(maxStreamBytes(200));
    append(log, RESPONSE, 1, 100);
    assertEquals(2, fixture.store.events());
  }
}
