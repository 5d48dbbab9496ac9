package io.fairlead.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;

/** Fuzz target: the bytes of an event stream (streams 48). */
class EventStreamFuzz {
  private static final int MAX = 100_000;

  /** Whole, and cut at the place that the first byte says, it is read as a slow reader reads it. */
  @FuzzTest
  void streamIsReadAsTheSlowReaderReadsIt(byte[] bytes) {
    List<String> expected = SlowSseReader.read(bytes);
    assertEquals(expected, read(bytes, 0));
    int cut = bytes.length == 0 ? 0 : (bytes[0] & 0xff) % (bytes.length + 1);
    assertEquals(expected, read(bytes, cut));
  }

  private static List<String> read(byte[] bytes, int cut) {
    SseRecorder recorder = new SseRecorder();
    SseReader reader = new SseReader(MAX, recorder);
    reader.feed(bytes, 0, cut);
    reader.feed(bytes, cut, bytes.length);
    recorder.heard().add("last " + reader.lastEventId());
    return recorder.heard();
  }
}
