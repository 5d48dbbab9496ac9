package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What was inspected is what is forwarded: random messages, byte by byte, both ways. */
class ForwardingIT {
  private static final int MESSAGES = 150;
  private static final String[] NUMBERS = {
    "0", "-0", "1E400", "1.10", "-2.50e-7", "9007199254740993", "1e+2", "123456789012345678901"
  };
  private static final String[] STRINGS = {
    "",
    "\\u00e9",
    "\u00e9",
    "\\/",
    "/",
    "\\uD83D\\uDE00",
    "\ud83d\ude00",
    "\\ud83d",
    "\\uDE00",
    "a\\nb",
    "\\\"",
    "\u2028"
  };

  private final ScriptedBackend first = new ScriptedBackend("first");
  private final ScriptedBackend second = new ScriptedBackend("second");
  private TestGateway gateway;

  @AfterEach
  void stop() {
    gateway.close();
  }

  @Test
  @DisplayName("lifecycle 64: one backend gets the very bytes, and so does the client")
  void bytesPassUnchanged() throws Exception {
    gateway = TestGateway.start("", first);
    exchange(first, "t", "t");
  }

  @Test
  @DisplayName("lifecycle 64: with several backends only the name is changed")
  void onlyTheNameIsChanged() throws Exception {
    gateway = TestGateway.start("", first, second);
    exchange(second, "second__t", "t");
  }

  private void exchange(ScriptedBackend backend, String clientName, String backendName)
      throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    McpSession session = McpSession.open(gateway.port());
    for (int i = 0; i < MESSAGES; i++) {
      String params = "," + spaces(random) + "\"arguments\":" + object(random, 4);
      String extra = random.nextBoolean() ? "\"x\":" + value(random, 3) + "," : "";
      String head = "{\"jsonrpc\":\"2.0\"," + extra + "\"method\":\"tools/call\",\"id\":" + i;
      String request = head + ",\"params\":{\"name\":\"%s\"" + params.replace("%", "%%") + "}}";
      try (McpSocket post = session.post(request.formatted(clientName))) {
        OpenCall call = backend.nextCall();
        assertEquals(request.formatted(backendName), text(call.request.bytes()), "seed=" + seed);
        String answer =
            "{\"id\":" + i + ",\"jsonrpc\":\"2.0\",\"result\":" + object(random, 4) + "}";
        backend.onLoop(() -> call.listener.answer(backend.envelope(answer)));
        assertEquals(answer, post.message().data(), "seed=" + seed);
      }
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static String spaces(Random random) {
    return random.nextInt(4) == 0 ? " \t ".substring(random.nextInt(3)) : "";
  }

  private static String value(Random random, int depth) {
    return switch (random.nextInt(depth == 0 ? 4 : 6)) {
      case 0 -> NUMBERS[random.nextInt(NUMBERS.length)];
      case 1 -> random.nextBoolean() ? "true" : "null";
      case 2, 3 -> "\"" + STRINGS[random.nextInt(STRINGS.length)] + "\"";
      case 4 -> object(random, depth - 1);
      default -> array(random, depth - 1);
    };
  }

  private static String object(Random random, int depth) {
    StringBuilder object = new StringBuilder("{");
    int members = random.nextInt(4);
    for (int i = 0; i < members; i++) {
      object.append(i == 0 ? "" : ",").append("\"k").append(i).append("\"").append(spaces(random));
      object.append(':').append(spaces(random)).append(value(random, depth));
    }
    return object.append('}').toString();
  }

  private static String array(Random random, int depth) {
    StringBuilder array = new StringBuilder("[");
    int elements = random.nextInt(4);
    for (int i = 0; i < elements; i++) {
      array.append(i == 0 ? "" : ",").append(value(random, depth));
    }
    return array.append(spaces(random)).append(']').toString();
  }
}
