package io.fairlead.store;

import static io.fairlead.store.EventKind.NOTIFICATION;
import static io.fairlead.store.EventKind.RESPONSE;
import static io.fairlead.store.StoreFixture.append;
import static io.fairlead.store.StoreFixture.maxStreamBytes;
import static io.fairlead.store.StoreFixture.replay;
import static io.fairlead.store.StoreFixture.take;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events that are larger than a bound. Streams 9. */
class OversizedEventTest {

  private final StoreFixture fixture = new StoreFixture(maxStreamBytes(1_000));
  private final EventLog log = fixture.open();

  @Test
  void oversizedResponseIsDeliveredLiveAndThenGone() {
    log.attach(0);
    append(log, NOTIFICATION, 1, 100);
    append(log, RESPONSE, 1, 1_001);
    log.end();
    assertEquals(List.of(), fixture.evicted);
    assertEquals(2, fixture.store.events());
    assertEquals(Retention.LOG_OVERHEAD + 1_101, fixture.store.bytes());
    assertTrue(log.lagsByHalf());
    assertEquals(List.of(1L, 2L), take(log));
    assertEquals(List.of(RESPONSE), fixture.evicted);
    assertEquals(1, fixture.store.events());
    assertEquals(new Resume.ResultEvicted(), log.resume(1));
    assertEquals(new Resume.Continues(0), log.resume(2));
    assertFalse(log.resultEvicted());
  }

  @Test
  void oversizedNotificationLeavesAGapAndTheResponseArrives() {
    log.attach(0);
    append(log, NOTIFICATION, 1, 100);
    append(log, NOTIFICATION, 1, 5_000);
    append(log, RESPONSE, 1, 100);
    log.end();
    assertEquals(List.of(1L, 2L, 3L), take(log));
    assertEquals(new Resume.Continues(1), log.resume(0));
    assertEquals(List.of(1L, -1L, 3L), replay(log, 0));
  }

  @Test
  void oversizedEventStaysUntilTheReaderTakesItWhateverFollows() {
    log.attach(0);
    append(log, NOTIFICATION, 1, 5_000);
    append(log, NOTIFICATION, 1, 5_000);
    append(log, NOTIFICATION, 11, 100);
    assertEquals(List.of(NOTIFICATION), fixture.evicted);
    assertEquals(List.of(1L, 2L, -1L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L, 13L), take(log));
    assertEquals(10, fixture.store.events());
  }

  @Test
  void oversizedEventIsEvictedAtOnceWhenNobodyIsAttached() {
    append(log, NOTIFICATION, 2, 100);
    append(log, RESPONSE, 1, 1_001);
    log.end();
    assertEquals(List.of(RESPONSE), fixture.evicted);
    assertEquals(2, fixture.store.events());
    assertEquals(new Resume.ResultEvicted(), log.resume(0));
  }

  @Test
  void oversizedEventGoesWhenTheReaderLeavesBeforeItTookIt() {
    log.attach(0);
    append(log, RESPONSE, 1, 1_001);
    log.end();
    log.detach();
    assertEquals(List.of(RESPONSE), fixture.evicted);
    assertEquals(0, fixture.store.events());
    assertEquals(new Resume.ResultEvicted(), log.resume(0));
  }

  @Test
  void oversizedEventPassesOnToTheReaderThatTakesOver() {
    log.attach(0);
    append(log, NOTIFICATION, 1, 100);
    append(log, RESPONSE, 1, 1_001);
    log.attach(0);
    assertEquals(List.of(1L, 2L), take(log));
  }

  @Test
  void oversizedEventGoesWhenTheReaderReturnsBehindIt() {
    log.attach(0);
    append(log, NOTIFICATION, 1, 1_001);
    append(log, NOTIFICATION, 1, 100);
    log.attach(1);
    assertEquals(List.of(NOTIFICATION), fixture.evicted);
    assertEquals(List.of(2L), take(log));
  }

  @Test
  void oversizedEventEvictsNothingOfOthers() {
    SessionEvents session = fixture.store.openSession();
    EventLog other = fixture.open(session);
    append(other, RESPONSE, 1, 100);
    other.end();
    EventLog large = fixture.open(session);
    large.attach(0);
    append(large, NOTIFICATION, 1, 40 << 20);
    append(large, NOTIFICATION, 1, 100);
    assertEquals(List.of(), fixture.evicted);
    assertEquals(new Resume.Continues(0), other.resume(0));
    assertEquals(List.of(1L, 2L), take(large));
  }

  @Test
  void oversizedEventsThatAStuckReaderLeavesAreBoundedByTheSessionsBytes() {
    StoreFixture small =
        new StoreFixture(new Retention(8, 1_000, 5_000, 1 << 20, Duration.ofMinutes(5)));
    EventLog stuck = small.open();
    stuck.attach(0);
    append(stuck, NOTIFICATION, 6, 2_000);
    assertEquals(2, small.store.events());
    assertEquals(List.of(-4L, 5L, 6L), take(stuck));
  }

  @Test
  void closeFreesWhatTheReaderDidNotTake() {
    log.attach(0);
    append(log, NOTIFICATION, 2, 1_001);
    log.close();
    assertEquals(0, fixture.store.bytes());
    assertEquals(0, fixture.store.events());
  }
}
