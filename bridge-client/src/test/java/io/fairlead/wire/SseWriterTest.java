package io.fairlead.wire;

import static io.fairlead.wire.SseRecorder.event;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written, to the byte, and that it is read back. */
class SseWriterTest {

  private static String text(byte[] block) {
    return new String(block, UTF_8);
  }

  private static SseRecorder read(byte[] block) {
    SseRecorder recorder = new SseRecorder();
    new SseReader(10_000, recorder).feed(block, 0, block.length);
    return recorder;
  }

  @Test
  void eventIsOneBlock() {
    byte[] block = SseWriter.event("s-1", "{\"é\":1}".getBytes(UTF_8));
    assertEquals("id: s-1\nevent: message\ndata: {\"é\":1}\n\n", text(block));
    read(block).assertHeard(event("s-1", "message", "{\"é\":1}"));
  }

  @Test
  void eventWithoutIdHasNoIdLine() {
    byte[] block = SseWriter.event("", "{}".getBytes(UTF_8));
    assertEquals("event: message\ndata: {}\n\n", text(block));
  }

  @ParameterizedTest
  @CsvSource({
    "a|b, a|b",
    "a^b, a|b",
    "a^|b, a|b",
    "a|^b, a||b",
    "a^^b, a||b",
    "|, |",
    "^|, |",
    "a^, a|",
    "|a, |a",
    "a||, a||",
    "id: 7|retry: 1, id: 7|retry: 1"
  })
  @DisplayName("lifecycle 47: a line end in the data makes another data line")
  void dataIsFramedAnew(String data, String expected) {
    String bytes = data.replace('|', '\n').replace('^', '\r');
    SseRecorder recorder = read(SseWriter.event("1", bytes.getBytes(UTF_8)));
    recorder.assertHeard(event("1", "message", expected.replace('|', '\n')));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "a\rdata: x", "a b", "a\0", "é", "\n"})
  @DisplayName("lifecycle 47: an id is visible ASCII")
  void idIsVisibleAscii(String id) {
    assertThrows(IllegalArgumentException.class, () -> SseWriter.event(id, new byte[0]));
    assertThrows(IllegalArgumentException.class, () -> SseWriter.priming(id, 1));
  }

  @Test
  @DisplayName("streams 14: priming is an id, a retry and one empty data line in one block")
  void primingIsOneBlock() {
    byte[] block = SseWriter.priming("s-0", 1000);
    assertEquals("id: s-0\nretry: 1000\ndata:\n\n", text(block));
    read(block).assertHeard("retry 1000", event("s-0", "message", ""));
  }

  @Test
  @DisplayName("streams 14: priming does without a retry where the client fails on one")
  void primingWithoutRetryIsOneBlock() {
    byte[] block = SseWriter.priming("s-0");
    assertEquals("id: s-0\ndata:\n\n", text(block));
    read(block).assertHeard(event("s-0", "message", ""));
  }

  @Test
  void retryIsNoEvent() {
    byte[] block = SseWriter.retry(250);
    assertEquals("retry: 250\n\n", text(block));
    read(block).assertHeard("retry 250");
  }

  @Test
  void commentHasNoControlCharacters() {
    byte[] block = SseWriter.comment("gap 3\r\ndata: x\0é\u0085");
    assertEquals(": gap 3data: xé\n\n", text(block));
    read(block).assertHeard("comment");
  }
}
