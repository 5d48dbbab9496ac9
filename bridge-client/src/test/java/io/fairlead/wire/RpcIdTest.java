package io.fairlead.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** streams 20: ids are keys with their JSON type. */
class RpcIdTest {

  private static RpcId read(String json) {
    byte[] bytes = (" " + json + " ").getBytes(UTF_8);
    return RpcId.copyOf(bytes, new Span(1, bytes.length - 1));
  }

  private static void assertSame(RpcId one, RpcId other) {
    assertEquals(one, other);
    assertEquals(one.hashCode(), other.hashCode());
  }

  @Test
  @DisplayName("1 is not \"1\"")
  void typeCounts() {
    assertNotEquals(RpcId.of(1), RpcId.of("1"));
    assertNotEquals(read("1"), read("\"1\""));
    assertNotEquals(RpcId.of(0), RpcId.of(""));
  }

  @Test
  void decodedValueCounts() {
    assertSame(read("\"a\\u002f\\ud83d\\ude00\""), RpcId.of("a/😀"));
    assertSame(read("\"a\\/\""), read("\"a/\""));
    assertSame(read("-0"), read("0"));
    assertSame(read("-5"), RpcId.of(-5));
    assertNotEquals(read("9007199254740993"), read("9007199254740992"));
    assertNotEquals(read("\"a\""), read("\"A\""));
    assertNotEquals(RpcId.of(1), (Object) "1");
    assertNotEquals(read("\"\\ud83d\""), read("\"\\ud83e\""));
    assertNotEquals(read("\"\\ud83d\""), RpcId.of("\ufffd"));
    assertSame(read("\"\\uD83D\""), RpcId.of("\ud83d"));
  }

  @Test
  void textStaysAsItCame() {
    for (String json : new String[] {"0", "-0", "123456789012345678901234567890", "\"\\u0061\""}) {
      assertArrayEquals(json.getBytes(UTF_8), read(json).json());
      assertEquals(json, read(json).toString());
    }
    assertEquals("\"a\\\"\\n\"", RpcId.of("a\"\n").toString());
    assertEquals(Long.toString(Long.MIN_VALUE), RpcId.of(Long.MIN_VALUE).toString());
  }
}
