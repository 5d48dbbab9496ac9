package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.wire.SseEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where and when to resume (streams 34 to 36). */
class ResumptionTest {
  private final Resumption resumption = new Resumption(Timing.DEFAULT);

  private static SseEvent event(String id, String data) {
    return new SseEvent(id, "message", data.getBytes());
  }

  private List<Long> delays(int count) {
    return IntStream.range(0, count).mapToObj(i -> resumption.nextDelay().toMillis()).toList();
  }

  @Test
  void delayDoublesToItsCapWhenNothingComes() {
    assertEquals(List.of(250L, 500L, 1000L, 2000L, 4000L, 8000L, 10_000L, 10_000L), delays(8));
  }

  @Test
  void delayStartsAgainWhenAnEventCame() {
    delays(4);
    resumption.event(event("a", "x"));
    assertEquals(List.of(250L, 500L), delays(2));
    resumption.event(event("", "x"));
    assertEquals(List.of(250L, 500L), delays(2));
    resumption.event(event("b", ""));
    assertEquals(List.of(250L, 500L), delays(2));
  }

  /** A priming event that repeats the cursor is no progress. */
  @Test
  void delayGrowsOnWhenOnlyTheOldCursorIsRepeated() {
    resumption.event(event("a", "x"));
    delays(2);
    resumption.event(event("a", ""));
    resumption.seen("a");
    resumption.retry(250);
    assertEquals(List.of(1000L, 2000L), delays(2));
  }

  @ParameterizedTest
  @CsvSource({
    "0,50",
    "49,50",
    "50,50",
    "3000,3000",
    "60000,60000",
    "60001,60000",
    "9223372036854775807,60000"
  })
  void serversReconnectionTimeIsClamped(long asked, long delay) {
    assertFalse(resumption.retryGiven());
    resumption.retry(asked);
    assertTrue(resumption.retryGiven());
    assertEquals(delay, resumption.nextDelay().toMillis());
  }

  /** Never early: the server's time is the least, also where it is above the usual cap. */
  @Test
  void delayIsNeverBelowTheServersReconnectionTime() {
    resumption.retry(20_000);
    assertEquals(List.of(20_000L, 20_000L), delays(2));
    resumption.retry(6_000);
    resumption.event(event("a", "x"));
    assertEquals(List.of(6_000L, 10_000L, 10_000L), delays(3));
  }

  @Test
  void cursorIsTheLastIdThatCame() {
    assertEquals(Optional.empty(), resumption.cursor());
    resumption.event(event("a", "x"));
    resumption.event(event("", "x"));
    resumption.seen("");
    assertEquals(Optional.of("a"), resumption.cursor());
    resumption.seen("b");
    assertEquals(Optional.of("b"), resumption.cursor());
  }

  @ParameterizedTest
  @ValueSource(strings = {"\t", "a\tb", "\u0001", "a\u007f"})
  void idThatNoHeaderCarriesIsNoCursor(String id) {
    resumption.event(event("a", "x"));
    resumption.event(event(id, "x"));
    assertEquals(Optional.of("a"), resumption.cursor());
  }

  @Test
  void endlessIdIsNoCursor() {
    resumption.event(event("x".repeat(1025), "x"));
    assertEquals(Optional.empty(), resumption.cursor());
    resumption.event(event("x".repeat(1024), "x"));
    assertTrue(resumption.cursor().isPresent());
  }

  @ParameterizedTest
  @CsvSource({"5,5000", "0,250", "100,60000", "999999999,60000", "-1,250", "soon,250", "'',250"})
  void retryAfterIsKeptWithinBounds(String value, long delay) {
    Duration waited = resumption.notBefore(Optional.of(value), Duration.ofMillis(250));
    assertEquals(delay, waited.toMillis());
  }

  @Test
  void delayIsUnchangedWhenThereIsNoRetryAfter() {
    Duration delay = Duration.ofMillis(7);
    assertEquals(delay, resumption.notBefore(Optional.empty(), delay));
  }
}
