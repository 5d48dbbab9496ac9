package io.fairlead.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * streams 48: streams that are split at every byte are read as a slow reader reads them that has
 * the whole text before it and follows the words of the standard.
 */
class SseReaderSplitTest {
  private static final String[] PIECES = {
    "data", "data:", "data: ", "id: ", "id", "event:", "retry: ", "retry: 12", ":", " ", "a", "é",
    "😀", "\0", "\r", "\n", "\r\n", "\n\n", "\r\r", "\r\n\r\n", "\ufeff", "7", "x: y", "daTa: "
  };
  private static final String SAMPLE =
      "\ufeff: hi\r\nid: 1\r\nevent: a\r\ndata: 😀\r\ndata:é\r\rdata: b\nid\n\nretry: 15\r\r\n"
          + "data\n\nid: 2\n\ndata: {\"a\":\"€\"}\r\n\r\ndata: partial";

  @Test
  void sampleIsReadTheSameWhenSplitInThree() {
    byte[] bytes = SAMPLE.getBytes(UTF_8);
    List<String> expected = SlowSseReader.read(bytes);
    assertEquals(7, expected.size(), expected.toString());
    for (int first = 0; first <= bytes.length; first++) {
      for (int second = first; second <= bytes.length; second++) {
        assertEquals(expected, read(bytes, first, second), first + " " + second);
      }
    }
  }

  @Property(tries = 5000)
  void randomStreamIsReadAsTheSlowReaderReadsIt(@ForAll long seed) {
    Random random = new Random(seed);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    for (int pieces = random.nextInt(40); pieces > 0; pieces--) {
      stream.writeBytes(PIECES[random.nextInt(PIECES.length)].getBytes(UTF_8));
      if (random.nextInt(30) == 0) {
        stream.write(random.nextInt(256));
      }
    }
    byte[] bytes = stream.toByteArray();
    List<String> expected = SlowSseReader.read(bytes);
    assertEquals(expected, read(bytes, 0, 0));
    assertEquals(expected, byByte(bytes));
    int first = random.nextInt(bytes.length + 1);
    assertEquals(expected, read(bytes, first, first + random.nextInt(bytes.length - first + 1)));
  }

  private static List<String> read(byte[] bytes, int first, int second) {
    SseRecorder recorder = new SseRecorder();
    SseReader reader = new SseReader(10_000, recorder);
    reader.feed(bytes, 0, first);
    reader.feed(bytes, first, second);
    reader.feed(bytes, second, bytes.length);
    recorder.heard().add("last " + reader.lastEventId());
    return recorder.heard();
  }

  private static List<String> byByte(byte[] bytes) {
    SseRecorder recorder = new SseRecorder();
    SseReader reader = new SseReader(10_000, recorder);
    for (byte b : bytes) {
      reader.feed(new byte[] {0, b, 0}, 1, 2);
    }
    recorder.heard().add("last " + reader.lastEventId());
    return recorder.heard();
  }
}
