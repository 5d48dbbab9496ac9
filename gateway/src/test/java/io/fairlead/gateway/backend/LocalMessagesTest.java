package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.core.json.JsonObject;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What tools of the application say, as JSON. */
class LocalMessagesTest {

  private static JsonObject progress(double progress, OptionalDouble total, String message) {
    String text = new String(LocalMessages.progress("\"t\"", progress, total, message), UTF_8);
    return new JsonObject(text).getJsonObject("params");
  }

  @Test
  void progressHasWhatTheToolSays() {
    String odd = "\"\\\u0001\u2028\ud83d\ude00";
    JsonObject all =
        new JsonObject().put("progressToken", "t").put("progress", 1.5).put("total", 10);
    assertEquals(all.put("message", odd), progress(1.5, OptionalDouble.of(10), odd));
    JsonObject least = new JsonObject().put("progressToken", "t").put("progress", 7);
    assertEquals(least, progress(7, OptionalDouble.empty(), ""));
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void progressIsANumberOfJson(double none) {
    assertThrows(IllegalArgumentException.class, () -> progress(none, OptionalDouble.empty(), ""));
    assertThrows(IllegalArgumentException.class, () -> progress(1, OptionalDouble.of(none), ""));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.0, 1e300, -1e-300, 999_999_999_999_999d, 1e15, 0.1})
  void numbersKeepTheirValue(double value) {
    assertEquals(value, progress(value, OptionalDouble.empty(), "").getDouble("progress"), 0.0);
  }
}
