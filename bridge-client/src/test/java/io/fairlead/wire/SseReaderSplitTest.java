package io.fairlead.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
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
    List<String> expected = slowly(bytes);
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
    List<String> expected = slowly(bytes);
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

  /** Bytes are kept as Latin-1 characters, so that data stays what it was. */
  private static List<String> slowly(byte[] bytes) {
    SseRecorder to = new SseRecorder();
    String text = new String(bytes, ISO_8859_1).replaceFirst("^\u00ef\u00bb\u00bf", "");
    String[] lines = text.split("\r\n|\n|\r", -1);
    String data = "";
    String type = "";
    String id = "";
    String lastId = "";
    for (int i = 0; i < lines.length - 1; i++) {
      String line = lines[i];
      int colon = line.indexOf(':');
      String name = colon < 0 ? line : line.substring(0, colon);
      String value = colon < 0 ? "" : line.substring(colon + 1).replaceFirst("^ ", "");
      if (line.isEmpty()) {
        lastId = id;
        if (!data.isEmpty()) {
          byte[] all = data.substring(0, data.length() - 1).getBytes(ISO_8859_1);
          to.event(new SseEvent(utf8(lastId), type.isEmpty() ? "message" : utf8(type), all));
        }
        data = "";
        type = "";
      } else if (colon == 0) {
        to.comment();
      } else if (name.equals("event")) {
        type = value;
      } else if (name.equals("data")) {
        data += value + "\n";
      } else if (name.equals("id") && value.indexOf('\0') < 0) {
        id = value;
      } else if (name.equals("retry") && value.matches("[0-9]+")) {
        to.retry(Long.parseLong(value));
      }
    }
    to.heard().add("last " + utf8(lastId));
    return to.heard();
  }

  private static String utf8(String latin) {
    return new String(latin.getBytes(ISO_8859_1), UTF_8);
  }
}
