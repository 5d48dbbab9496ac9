package io.fairlead.store;

import static io.fairlead.store.EventKind.NOTIFICATION;
import static io.fairlead.store.EventKind.RESPONSE;
import static io.fairlead.store.StoreFixture.TTL;
import static io.fairlead.store.StoreFixture.append;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How logs are forgotten: time to live, close, and who is told. Streams 8 and 11. */
class ExpiryTest {

  private final StoreFixture fixture = StoreFixture.wide();
  private final EventStore store = fixture.store;
  private final SessionEvents session = store.openSession();
  private final List<String> forgotten = new ArrayList<>();

  private EventLog open(String name) {
    return session.open(name, () -> forgotten.add(name));
  }

  @Test
  void logIsForgottenWhenItsTimeToLiveHasPassedSinceItsEnd() {
    EventLog log = open("a");
    append(log, RESPONSE, 1, 100);
    fixture.pass(TTL.multipliedBy(3));
    log.end();
    fixture.pass(TTL.minusNanos(1));
    store.expire();
    assertFalse(log.closed());
    fixture.pass(Duration.ofNanos(1));
    store.expire();
    assertTrue(log.closed());
    assertEquals(List.of("a"), forgotten);
    assertEquals(List.of(), fixture.evicted);
    assertEmpty();
  }

  @Test
  void runningLogNeverExpires() {
    EventLog log = open("a");
    fixture.pass(TTL.multipliedBy(1_000));
    store.expire();
    assertFalse(log.closed());
  }

  @Test
  void secondEndDoesNotProlongTheTimeToLive() {
    EventLog log = open("a");
    log.end();
    fixture.pass(TTL.minusSeconds(1));
    log.end();
    fixture.pass(Duration.ofSeconds(1));
    store.expire();
    assertTrue(log.closed());
  }

  @Test
  void logsExpireInTheOrderOfTheirEnds() {
    EventLog a = open("a");
    EventLog b = open("b");
    EventLog c = open("c");
    c.end();
    fixture.pass(Duration.ofSeconds(1));
    a.end();
    fixture.pass(Duration.ofSeconds(1));
    b.end();
    fixture.pass(TTL.minusSeconds(1));
    store.expire();
    assertEquals(List.of("c", "a"), forgotten);
    fixture.pass(Duration.ofSeconds(1));
    store.expire();
    assertEquals(List.of("c", "a", "b"), forgotten);
  }

  @Test
  void changedTimeToLiveHoldsForLogsThatHaveEndedBefore() {
    EventLog log = open("a");
    log.end();
    Retention wide = StoreFixture.WIDE;
    store.retain(ttl(wide, Duration.ofDays(400_000)));
    fixture.pass(Duration.ofDays(400));
    store.expire();
    assertFalse(log.closed());
    store.retain(ttl(wide, Duration.ofSeconds(1)));
    store.expire();
    assertTrue(log.closed());
  }

  @Test
  void closeOfALogTellsOnce() {
    EventLog log = open("a");
    log.end();
    log.close();
    log.close();
    fixture.pass(TTL);
    store.expire();
    session.close();
    assertEquals(List.of("a"), forgotten);
  }

  @Test
  void closeOfASessionForgetsItsLogsAndOpensNoMore() {
    append(open("a"), NOTIFICATION, 3, 100);
    EventLog ended = open("b");
    append(ended, RESPONSE, 1, 100);
    ended.end();
    session.close();
    session.close();
    assertEquals(List.of("a", "b"), forgotten.stream().sorted().toList());
    assertEquals(List.of(), fixture.evicted);
    assertThrows(IllegalStateException.class, () -> open("c"));
    assertEmpty();
  }

  @Test
  void closeOfASessionThatNeverOpenedALogDoesNothing() {
    session.close();
    session.close();
    assertEmpty();
  }

  @Test
  void callbackMayCloseTheSessionWhoseLogsExpire() {
    List<EventLog> logs = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      String name = "log" + i;
      logs.add(
          session.open(
              name,
              () -> {
                forgotten.add(name);
                session.close();
              }));
    }
    logs.forEach(EventLog::end);
    EventLog other = fixture.open();
    other.end();
    fixture.pass(TTL);
    store.expire();
    assertEquals(10, forgotten.stream().distinct().count());
    assertEquals(10, forgotten.size());
    assertTrue(other.closed());
    assertEmpty();
  }

  @Test
  void callbackMayOpenAndAppend() {
    EventLog log =
        session.open(
            "a",
            () -> {
              EventLog next = open("b");
              append(next, RESPONSE, 1, 100);
              next.end();
            });
    log.end();
    fixture.pass(TTL);
    store.expire();
    assertEquals(1, store.logs());
    assertEquals(1, store.events());
  }

  @Test
  void chainOfCallbacksDoesNotGrowTheStack() {
    int links = 100_000;
    List<EventLog> logs = new ArrayList<>();
    for (int i = 0; i < links; i++) {
      int following = i + 1;
      logs.add(
          fixture
              .store
              .openSession()
              .open(
                  "s",
                  () -> {
                    if (following < links) {
                      logs.get(following).close();
                    }
                  }));
    }
    logs.get(0).close();
    assertEmpty();
  }

  @Test
  void callbackThatFailsKeepsNobodyElseFromBeingTold() {
    session.open(
        "a",
        () -> {
          throw new IllegalStateException("injected");
        });
    open("b");
    assertThrows(IllegalStateException.class, session::close);
    assertEquals(List.of("b"), forgotten);
    open(store.openSession());
    assertEquals(1, store.logs());
  }

  @Test
  void aHundredThousandLogsOfTenEventsLeaveNothingBehind() {
    int[] told = {0};
    for (int i = 0; i < 100_000; i++) {
      EventLog log = store.openSession().open("s", () -> told[0]++);
      append(log, NOTIFICATION, 9, 364);
      append(log, RESPONSE, 1, 364);
      log.end();
      fixture.pass(TTL.dividedBy(1_000));
      store.expire();
      assertTrue(store.logs() <= 1_000);
    }
    fixture.pass(TTL);
    store.expire();
    assertEquals(100_000, told[0]);
    assertEmpty();
  }

  private void open(SessionEvents other) {
    other.open("other", () -> {});
  }

  private static Retention ttl(Retention bounds, Duration ttl) {
    return new Retention(
        bounds.maxEventsPerStream(),
        bounds.maxBytesPerStream(),
        bounds.maxBytesPerSession(),
        bounds.maxBytes(),
        ttl);
  }

  private void assertEmpty() {
    assertEquals(0, store.logs());
    assertEquals(0, store.events());
    assertEquals(0, store.bytes());
    assertEquals(0, session.bytes());
  }
}
