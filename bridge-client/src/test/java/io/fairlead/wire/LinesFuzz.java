package io.fairlead.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Fuzz target: the bytes of a child or a stdio client (streams 46, lifecycle 112). */
class LinesFuzz {
  private static final int MAX = 16;

  /** Lines do not depend on where the bytes were cut, and none is above the bound. */
  @FuzzTest
  void linesAreTheSameWhereverTheBytesAreCut(byte[] bytes) {
    List<String> whole = lines(bytes, bytes.length);
    assertEquals(whole, lines(bytes, 1));
    assertEquals(whole, lines(bytes, 3));
  }

  private static List<String> lines(byte[] bytes, int step) {
    List<String> heard = new ArrayList<>();
    LineFramer framer = new LineFramer(MAX, new Recorder(heard));
    for (int at = 0; at < bytes.length; at += step) {
      framer.feed(bytes, at, Math.min(bytes.length, at + step));
    }
    return heard;
  }

  /** Writes down what it is told. */
  private record Recorder(List<String> heard) implements LineFramer.Listener {
    @Override
    public void line(byte[] line) {
      assertTrue(line.length > 0 && line.length <= MAX);
      heard.add(text(line));
    }

    @Override
    public void oversize(byte[] head) {
      heard.add("oversize");
    }

    @Override
    public void oversizeEnd(byte[] tail) {
      heard.add("end " + text(tail));
    }

    private static String text(byte[] bytes) {
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }
  }
}
