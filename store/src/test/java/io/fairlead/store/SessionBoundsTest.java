package io.fairlead.store;

import static io.fairlead.store.EventKind.NOTIFICATION;
import static io.fairlead.store.EventKind.REQUEST;
import static io.fairlead.store.EventKind.RESPONSE;
import static io.fairlead.store.Retention.LOG_OVERHEAD;
import static io.fairlead.store.StoreFixture.append;
import static io.fairlead.store.StoreFixture.maxSessionBytes;
import static io.fairlead.store.StoreFixture.replay;
import static io.fairlead.store.StoreFixture.take;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes of one session, and the order in which its logs give way. Streams 8. */
class SessionBoundsTest {

  private StoreFixture fixture;
  private SessionEvents session;

  /** Room for so many logs and so many bytes of events. */
  private void room(int logs, int bytes) {
    fixture = new StoreFixture(maxSessionBytes((long) logs * LOG_OVERHEAD + bytes));
    session = fixture.store.openSession();
  }

  private EventLog open() {
    return fixture.open(session);
  }

  private EventLog ended(EventKind... kinds) {
    EventLog log = open();
    for (EventKind kind : kinds) {
      append(log, kind, 1, 100);
    }
    log.end();
    return log;
  }

  @Test
  void logsThatWereTakenGoFirstOldestFirst() {
    room(4, 500);
    EventLog unread = ended(NOTIFICATION, RESPONSE);
    EventLog first = ended(RESPONSE);
    EventLog second = ended(RESPONSE);
    replay(second, 0);
    replay(first, 0);
    EventLog running = open();
    append(running, NOTIFICATION, 1, 100);
    append(running, NOTIFICATION, 1, 100);
    assertEquals(new Resume.ResultEvicted(), second.resume(0));
    assertEquals(new Resume.Continues(0), first.resume(0));
    append(running, NOTIFICATION, 1, 100);
    assertEquals(new Resume.ResultEvicted(), first.resume(0));
    assertEquals(new Resume.Continues(0), unread.resume(0));
  }

  @Test
  void readerThatReturnsToATakenLogTakesItOutOfTheFirstRank() {
    room(3, 300);
    EventLog again = ended(RESPONSE);
    EventLog taken = ended(RESPONSE);
    replay(again, 0);
    replay(taken, 0);
    again.attach(0);
    append(open(), NOTIFICATION, 2, 100);
    assertEquals(new Resume.ResultEvicted(), taken.resume(0));
    assertEquals(List.of(1L), take(again));
  }

  @Test
  void notificationsAndRequestsOfEndedLogsGoBeforeThoseOfRunningOnes() {
    room(2, 500);
    EventLog running = open();
    append(running, NOTIFICATION, 1, 100);
    EventLog ended = ended(REQUEST, NOTIFICATION, RESPONSE);
    append(running, NOTIFICATION, 3, 100);
    assertEquals(List.of(NOTIFICATION, REQUEST), fixture.evicted);
    assertEquals(new Resume.Continues(2), ended.resume(0));
    assertEquals(new Resume.Continues(0), running.resume(0));
  }

  @Test
  void streamThatAppendsPaysBeforeItsNeighbours() {
    room(2, 300);
    EventLog quiet = open();
    append(quiet, NOTIFICATION, 1, 100);
    EventLog noisy = open();
    append(noisy, NOTIFICATION, 50, 100);
    assertEquals(new Resume.Continues(0), quiet.resume(0));
    assertEquals(new Resume.Continues(48), noisy.resume(0));
  }

  @Test
  void neighboursPayWhenTheStreamThatAppendsHasNothingToGive() {
    room(3, 300);
    EventLog first = open();
    append(first, NOTIFICATION, 2, 100);
    EventLog second = open();
    append(second, NOTIFICATION, 1, 100);
    append(open(), NOTIFICATION, 1, 100);
    assertEquals(new Resume.Continues(1), first.resume(0));
    assertEquals(new Resume.Continues(0), second.resume(0));
  }

  @Test
  void requestsGoAfterAllNotificationsAndResultsLast() {
    room(3, 400);
    EventLog result = ended(RESPONSE);
    EventLog asks = open();
    append(asks, REQUEST, 1, 100);
    EventLog tells = open();
    append(tells, NOTIFICATION, 2, 100);
    append(asks, REQUEST, 3, 100);
    assertEquals(List.of(NOTIFICATION, NOTIFICATION, REQUEST), fixture.evicted);
    assertEquals(new Resume.Continues(0), result.resume(0));
    append(tells, RESPONSE, 1, 300);
    assertEquals(new Resume.Continues(0), result.resume(0));
    append(asks, RESPONSE, 1, 100);
    assertEquals(new Resume.ResultEvicted(), result.resume(0));
    assertEquals(new Resume.Continues(0), tells.resume(2));
  }

  @Test
  void resultsStayWhenANotificationOrARequestFindsNoRoom() {
    room(2, 200);
    EventLog result = open();
    append(result, RESPONSE, 1, 200);
    result.end();
    EventLog noisy = open();
    append(noisy, NOTIFICATION, 2, 100);
    append(noisy, REQUEST, 1, 100);
    assertEquals(List.of(NOTIFICATION, NOTIFICATION, REQUEST), fixture.evicted);
    assertEquals(new Resume.Continues(0), result.resume(0));
    assertEquals(new Resume.Continues(3), noisy.resume(0));
  }

  @Test
  void liveDeliveryGoesOnWhenUnreadResultsFillTheSession() {
    room(2, 200);
    EventLog result = open();
    append(result, RESPONSE, 1, 200);
    result.end();
    EventLog live = open();
    live.attach(0);
    for (long i = 1; i <= 5; i++) {
      append(live, NOTIFICATION, 1, 100);
      assertEquals(List.of(i), take(live));
      assertEquals(1, fixture.store.events());
    }
    assertEquals(new Resume.Continues(0), result.resume(0));
  }

  @Test
  void eventThatExceedsForAReaderGoesWhenTheNextOneComes() {
    room(3, 200);
    ended(RESPONSE, RESPONSE);
    EventLog first = open();
    first.attach(0);
    EventLog second = open();
    second.attach(0);
    append(first, NOTIFICATION, 1, 100);
    append(second, NOTIFICATION, 1, 100);
    assertEquals(3, fixture.store.events());
    assertEquals(List.of(1L), take(second));
    assertEquals(List.of(), take(first));
    assertEquals(1, first.gap());
    append(first, NOTIFICATION, 1, 100);
    assertEquals(List.of(-1L, 2L), take(first));
  }

  @Test
  void otherSessionsAreUntouchedByASessionsBound() {
    room(1, 200);
    EventLog other = fixture.open();
    append(other, NOTIFICATION, 2, 100);
    append(open(), NOTIFICATION, 50, 100);
    assertEquals(new Resume.Continues(0), other.resume(0));
  }

  @Test
  void oldestTombstonesAreForgottenBeyondAnEighthOfTheBound() {
    room(16, 0);
    EventLog first = ended();
    EventLog second = ended();
    assertFalse(first.closed());
    EventLog third = ended();
    assertTrue(first.closed());
    assertFalse(second.closed() || third.closed());
    assertEquals(2, session.logs());
  }

  @Test
  void openMakesRoomForTheLogItself() {
    room(2, 100);
    EventLog first = ended(RESPONSE);
    open();
    open();
    assertTrue(first.closed());
    assertEquals(2 * LOG_OVERHEAD, session.bytes());
  }
}
