package io.fairlead.store;

import static io.fairlead.store.EventKind.NOTIFICATION;
import static io.fairlead.store.EventKind.REQUEST;
import static io.fairlead.store.EventKind.RESPONSE;
import static io.fairlead.store.Retention.LOG_OVERHEAD;
import static io.fairlead.store.StoreFixture.append;
import static io.fairlead.store.StoreFixture.maxBytes;
import static io.fairlead.store.StoreFixture.replay;
import static io.fairlead.store.StoreFixture.take;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes of all sessions, and whose logs give way. Streams 8. */
class StoreBoundsTest {

  private StoreFixture fixture;

  /** Room for so many logs and so many bytes of events. */
  private void room(int logs, int bytes) {
    fixture = new StoreFixture(maxBytes((long) logs * LOG_OVERHEAD + bytes));
  }

  private EventLog ended(SessionEvents session, EventKind... kinds) {
    EventLog log = fixture.open(session);
    for (EventKind kind : kinds) {
      append(log, kind, 1, 100);
    }
    log.end();
    return log;
  }

  @Test
  void logsThatWereTakenGoFirstWhereverTheyAre() {
    room(3, 300);
    EventLog elsewhere = ended(fixture.store.openSession(), RESPONSE);
    replay(elsewhere, 0);
    SessionEvents session = fixture.store.openSession();
    EventLog own = ended(session, RESPONSE);
    replay(own, 0);
    EventLog running = fixture.open(session);
    append(running, NOTIFICATION, 2, 100);
    assertEquals(new Resume.ResultEvicted(), elsewhere.resume(0));
    assertEquals(new Resume.Continues(0), own.resume(0));
    append(running, NOTIFICATION, 1, 100);
    assertEquals(new Resume.ResultEvicted(), own.resume(0));
    assertEquals(new Resume.Continues(0), running.resume(0));
  }

  /** streams 8: one noisy session does not cost another its unread answers. */
  @Test
  void noisySessionEvictsItsOwnBeforeAnythingUnreadOfOthers() {
    room(3, 500);
    EventLog others = ended(fixture.store.openSession(), NOTIFICATION, REQUEST, RESPONSE);
    SessionEvents session = fixture.store.openSession();
    EventLog asks = fixture.open(session);
    append(asks, REQUEST, 1, 100);
    EventLog tells = fixture.open(session);
    append(tells, NOTIFICATION, 50, 100);
    append(asks, REQUEST, 50, 100);
    assertEquals(new Resume.Continues(0), others.resume(0));
    append(tells, RESPONSE, 1, 200);
    assertEquals(new Resume.Continues(0), others.resume(0));
    assertEquals(new Resume.Continues(51), asks.resume(0));
  }

  @Test
  void noisySessionEvictsItsOwnResultsBeforeAnothersUnreadResult() {
    room(12, 500);
    EventLog others = ended(fixture.store.openSession(), RESPONSE);
    SessionEvents session = fixture.store.openSession();
    EventLog first = ended(session, RESPONSE);
    for (int i = 0; i < 9; i++) {
      ended(session, RESPONSE);
    }
    assertEquals(new Resume.Continues(0), others.resume(0));
    assertEquals(new Resume.ResultEvicted(), first.resume(0));
  }

  @Test
  void othersNotificationsGoWhenTheSessionHasNothingToGive() {
    room(3, 300);
    EventLog result = ended(fixture.store.openSession(), RESPONSE);
    EventLog running = fixture.open();
    append(running, NOTIFICATION, 2, 100);
    EventLog fresh = fixture.open();
    append(fresh, NOTIFICATION, 1, 100);
    assertEquals(new Resume.Continues(1), running.resume(0));
    assertEquals(new Resume.Continues(0), fresh.resume(0));
    assertEquals(new Resume.Continues(0), result.resume(0));
  }

  @Test
  void oldestResultOfOthersGoesOnlyForAResultOfASessionThatHasNone() {
    room(3, 200);
    EventLog oldest = ended(fixture.store.openSession(), RESPONSE);
    EventLog newer = ended(fixture.store.openSession(), RESPONSE);
    EventLog fresh = fixture.open();
    append(fresh, NOTIFICATION, 3, 100);
    append(fresh, REQUEST, 3, 100);
    assertEquals(new Resume.Continues(0), oldest.resume(0));
    append(fresh, RESPONSE, 1, 100);
    assertEquals(new Resume.ResultEvicted(), oldest.resume(0));
    assertEquals(new Resume.Continues(0), newer.resume(0));
    assertEquals(new Resume.Continues(0), fresh.resume(6));
  }

  @Test
  void liveDeliveryGoesOnWhenOthersUnreadResultsFillTheStore() {
    room(3, 200);
    ended(fixture.store.openSession(), RESPONSE);
    ended(fixture.store.openSession(), RESPONSE);
    EventLog live = fixture.open();
    live.attach(0);
    for (long i = 1; i <= 5; i++) {
      append(live, NOTIFICATION, 1, 100);
      assertEquals(List.of(i), take(live));
    }
    assertEquals(2, fixture.store.events());
  }

  @Test
  void oldestTombstonesAreForgottenBeyondAnEighthOfTheBound() {
    room(16, 0);
    EventLog first = ended(fixture.store.openSession());
    EventLog second = ended(fixture.store.openSession());
    assertFalse(first.closed());
    EventLog third = ended(fixture.store.openSession());
    assertTrue(first.closed());
    assertFalse(second.closed() || third.closed());
  }

  @Test
  void loweredBoundIsMetWithTheNextAppendEvenAtTheCostOfResults() {
    room(4, 300);
    EventLog first = ended(fixture.store.openSession(), RESPONSE);
    EventLog second = ended(fixture.store.openSession(), RESPONSE);
    fixture.store.retain(maxBytes(3L * LOG_OVERHEAD + 100));
    EventLog running = fixture.open();
    append(running, NOTIFICATION, 1, 100);
    assertEquals(new Resume.ResultEvicted(), first.resume(0));
    assertEquals(new Resume.Continues(0), second.resume(0));
    assertTrue(fixture.store.bytes() <= 3L * LOG_OVERHEAD + 100);
  }
}
