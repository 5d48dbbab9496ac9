package io.fairlead.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** streams 46, lifecycle 112: lines of stdio. */
class LineFramerTest {
  private static final String[] PIECES = {
    "a", "bcd", "é", "€", "😀", "\r", "\n", "\r\n", " ", "\t", "\ufeff", "0123456789"
  };

  private static final class Recorder implements LineFramer.Listener {
    private final List<String> heard = new ArrayList<>();

    @Override
    public void line(byte[] line) {
      heard.add(new String(line, UTF_8));
    }

    @Override
    public void oversize(byte[] head) {
      heard.add("oversize " + new String(head, UTF_8));
    }
  }

  private static List<String> lines(int max, byte[]... pieces) {
    Recorder recorder = new Recorder();
    LineFramer framer = new LineFramer(max, recorder);
    for (byte[] piece : pieces) {
      framer.feed(piece, 0, piece.length);
    }
    return recorder.heard;
  }

  private static List<String> lines(int max, String text) {
    return lines(max, text.getBytes(UTF_8));
  }

  @Test
  void linesEndAtLfAndLoseTheirCr() {
    assertEquals(List.of("a", "b\rc", "d\r"), lines(10, "a\nb\rc\r\nd\r\r\nrest"));
  }

  @Test
  void blankLinesAreSkipped() {
    assertEquals(List.of("a", " b "), lines(10, "\n\r\n \t \na\n\n\n b \n\r\r\n"));
  }

  @Test
  void bomIsIgnoredAtTheStartAlone() {
    assertEquals(List.of("a", "\ufeffb"), lines(10, "\ufeffa\n\ufeffb\n"));
    assertEquals(List.of("\ufeffa"), lines(10, "\ufeff\ufeffa\n"));
    assertEquals(List.of("a"), lines(10, "\ufeff\na\n"));
  }

  @Test
  void lineAtTheBoundIsGiven() {
    assertEquals(List.of("0123456789"), lines(10, "0123456789\n"));
    assertEquals(List.of("0123456789"), lines(10, "\ufeff0123456789\r\n"));
  }

  @Test
  void lineAboveTheBoundIsReportedOnceAndSkipped() {
    String text = "0123456789a\nb\n" + "c".repeat(100) + "\r\nd\n";
    List<String> lines = lines(10, text);
    assertEquals(4, lines.size(), lines.toString());
    assertEquals("b", lines.get(1));
    assertEquals("d", lines.get(3));
    assertEquals("oversize 0123456789", lines.get(0).substring(0, 19));
    assertEquals("oversize cccccccccc", lines.get(2).substring(0, 19));
  }

  @Test
  void crThatIsNotBeforeLfCounts() {
    List<String> lines = lines(10, "0123456789\ra\n");
    assertEquals(1, lines.size());
    assertEquals("oversize 0123456789", lines.get(0).substring(0, 19));
  }

  @Test
  void headOfALongLineIsShort() {
    List<String> lines = lines(100_000, "x".repeat(200_000) + "\n");
    assertEquals(List.of("oversize " + "x".repeat(4096)), lines);
  }

  @Test
  @DisplayName("a line is the same wherever it is split, also inside of a character")
  void splitsMakeNoDifference() {
    byte[] bytes = "\ufeff{\"a\":\"é€😀\"}\r\n\r\n0123456789012345678901\nü\r\r\n".getBytes(UTF_8);
    List<String> expected = lines(20, bytes);
    assertEquals(3, expected.size());
    for (int i = 0; i <= bytes.length; i++) {
      for (int j = i; j <= bytes.length; j++) {
        List<String> lines = lines(20, cut(bytes, 0, i), cut(bytes, i, j), cut(bytes, j, -1));
        assertEquals(kinds(expected), kinds(lines), i + " " + j);
      }
    }
  }

  @Property(tries = 3000)
  void randomTextIsCutAsByASlowFramer(@ForAll long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    for (int pieces = random.nextInt(30); pieces > 0; pieces--) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    byte[] bytes = text.toString().getBytes(UTF_8);
    List<String> expected = kinds(slowly(text.toString()));
    assertEquals(expected, kinds(lines(12, bytes)));
    byte[][] pieces = new byte[bytes.length][];
    for (int i = 0; i < bytes.length; i++) {
      pieces[i] = new byte[] {bytes[i]};
    }
    assertEquals(expected, kinds(lines(12, pieces)));
  }

  @Test
  void longLineIsReadInLinearTime() {
    byte[] piece = "x".repeat(1000).getBytes(UTF_8);
    Recorder recorder = new Recorder();
    LineFramer framer = new LineFramer(64 << 20, recorder);
    Duration took =
        CpuClock.time(
            () -> {
              for (int i = 0; i < 64_000; i++) {
                framer.feed(piece, 0, piece.length);
              }
              framer.feed("\n".getBytes(UTF_8), 0, 1);
            });
    assertTrue(took.toSeconds() < 5, "took=" + took);
    assertEquals(64_000_000, recorder.heard.get(0).length());
  }

  private static byte[] cut(byte[] bytes, int from, int to) {
    return Json.copy(bytes, new Span(from, to < 0 ? bytes.length : to));
  }

  /** How much of a line above the bound is shown depends on the pieces in which it came. */
  private static List<String> kinds(List<String> lines) {
    return lines.stream().map(line -> line.startsWith("oversize ") ? "oversize" : line).toList();
  }

  private static List<String> slowly(String text) {
    String[] lines = text.replaceFirst("^\ufeff", "").split("\n", -1);
    List<String> heard = new ArrayList<>();
    for (int i = 0; i < lines.length; i++) {
      boolean last = i == lines.length - 1;
      String line =
          lines[i].endsWith("\r") ? lines[i].substring(0, lines[i].length() - 1) : lines[i];
      if (line.getBytes(UTF_8).length > 12) {
        heard.add("oversize " + line);
      } else if (!last && !line.isBlank()) {
        heard.add(line);
      }
    }
    return heard;
  }
}
