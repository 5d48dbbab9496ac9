package io.fairlead.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The catalogue is complete and each entry is one that a client can act on. */
class RefusalsTest {
  private static final Map<Class<?>, Object> SAMPLES =
      Map.of(String.class, "X-Sample", Duration.class, Duration.ofSeconds(10), long.class, 4096L);

  static Stream<Refusal> catalogue() {
    return Stream.of(Refusals.class, SessionRefusals.class)
        .flatMap(part -> Stream.of(part.getDeclaredMethods()))
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> !method.getName().equals("malformed"))
        .map(RefusalsTest::invoke);
  }

  @ParameterizedTest
  @MethodSource("catalogue")
  void everyRefusalHasAnErrorStatusAReasonAndASentence(Refusal refusal) {
    assertTrue(refusal.status() >= 400 && refusal.status() < 600, refusal.toString());
    assertTrue(refusal.reason().matches("[a-z][a-z_]+"), refusal.toString());
    assertTrue(refusal.error().message().matches("[A-Z].{20,220}\\."), refusal.toString());
  }

  @Test
  void noTwoRefusalsShareAText() {
    Map<String, Refusal> texts = new HashMap<>();
    catalogue()
        .forEach(
            refusal ->
                assertFalse(
                    texts.put(refusal.error().message(), refusal) != null, refusal.toString()));
  }

  @Test
  void unknownSessionProvesThatNothingRan() {
    Refusal refusal = SessionRefusals.sessionUnknown();
    assertEquals(404, refusal.status());
    assertEquals(-32001, refusal.error().code());
    assertEquals(Map.of("reason", "session_unknown", "dispatched", false), refusal.error().data());
  }

  @Test
  void onlyRefusalsThatLeaveTheFramingUnknownCloseTheConnection() {
    assertTrue(Refusals.tooLarge(1).closes());
    assertTrue(Refusals.tooSlow(Duration.ofSeconds(1)).closes());
    assertTrue(Refusals.unsupportedFraming().closes());
    assertTrue(Refusals.tooManyHeaders(1).closes());
    assertTrue(Refusals.headersTooLarge(1).closes());
    assertTrue(Refusals.lineTooLong(1).closes());
    assertTrue(Refusals.unreadable().closes());
    assertTrue(Refusals.unsupportedHttpVersion().closes());
    assertEquals(8, catalogue().filter(Refusal::closes).count());
  }

  private static Refusal invoke(Method method) {
    try {
      Object[] arguments =
          Stream.of(method.getParameterTypes()).map(SAMPLES::get).toArray(Object[]::new);
      return (Refusal) method.invoke(null, arguments);
    } catch (ReflectiveOperationException failure) {
      throw new AssertionError(method.getName(), failure);
    }
  }
}
