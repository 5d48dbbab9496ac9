package io.fairlead.wire;

import static io.fairlead.wire.SseRecorder.event;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events at and above the bound, and long lines. */
class SseReaderBoundTest {
  private final SseRecorder recorder = new SseRecorder();
  private final SseReader reader = new SseReader(10, recorder);

  private void feed(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    reader.feed(bytes, 0, bytes.length);
  }

  @AfterEach
  void nothingElseWasHeard() {
    recorder.assertHeard();
  }

  @Test
  void eventAtTheBoundIsRead() {
    feed("data: 0123456789\n\ndata: 01234\ndata: 6789\n\ndata: 012345678\ndata\n\n");
    recorder.assertHeard(
        event("", "message", "0123456789"),
        event("", "message", "01234\n6789"),
        event("", "message", "012345678\n"));
  }

  @Test
  void eventAboveTheBoundIsReportedOnceAndSkipped() {
    feed("data: 0123456789a\ndata: again 0123456789\n\ndata: next\n\n");
    recorder.assertHeard("oversize", event("", "message", "next"));
  }

  @Test
  void joiningLineFeedsCount() {
    feed("data: 01234\ndata: 56789\n\n");
    recorder.assertHeard("oversize");
    feed("data: 0123456789\ndata\n\n");
    recorder.assertHeard("oversize");
    feed("data\n".repeat(11) + "\n");
    recorder.assertHeard(event("", "message", "\n".repeat(10)));
    feed("data\n".repeat(12) + "\n");
    recorder.assertHeard("oversize");
  }

  @Test
  void idAndTypeAreBounded() {
    feed("id: 0123456789a\ndata: a\n\nevent: 0123456789a\ndata: a\n\ndata: b\n\n");
    recorder.assertHeard("oversize", "oversize", event("", "message", "b"));
  }

  @Test
  void skippedEventDoesNotMoveTheLastEventId() {
    feed("id: 1\ndata: a\n\n");
    recorder.assertHeard(event("1", "message", "a"));
    feed("id: 2\ndata: 0123456789a\nid: 3\n\n");
    recorder.assertHeard("oversize");
    assertEquals("1", reader.lastEventId());
    feed("data: b\n\n");
    recorder.assertHeard(event("1", "message", "b"));
  }

  @Test
  void skippedEventTakesItsTypeAndRetryAlong() {
    feed("event: x\ndata: 0123456789a\nretry: 5\nevent: y\n\ndata: b\n\nretry: 6\n");
    recorder.assertHeard("oversize", event("", "message", "b"), "retry 6");
  }

  @Test
  void commentIsHeardInsideOfASkippedEvent() {
    feed("data: 0123456789a\n: alive\n\n");
    recorder.assertHeard("oversize", "comment");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000, 65_536})
  @DisplayName("streams 24, 48: a data line of 32 MiB is read in linear time")
  void longLineIsReadInLinearTime(int piece) {
    int size = 32 << 20;
    AtomicReference<SseEvent> read = new AtomicReference<>();
    SseReader.Listener listener =
        new SseReader.Listener() {
          @Override
          public void event(SseEvent event) {
            read.set(event);
          }

          @Override
          public void retry(long millis) {}

          @Override
          public void oversize() {
            throw new AssertionError("oversize");
          }
        };
    SseReader large = new SseReader(size, listener);
    byte[] pieces = new byte[piece];
    Arrays.fill(pieces, (byte) 'x');
    Duration took =
        CpuClock.time(
            () -> {
              large.feed("data:".getBytes(UTF_8), 0, 5);
              for (int left = size; left > 0; left -= piece) {
                large.feed(pieces, 0, Math.min(left, piece));
              }
              large.feed("\n\n".getBytes(UTF_8), 0, 2);
            });
    assertTrue(took.toSeconds() < 5, "took=" + took);
    assertEquals(size, read.get().data().length);
  }
}
