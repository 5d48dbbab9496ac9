package io.fairlead.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.observe.Metrics;
import io.fairlead.store.EventKind;
import io.fairlead.store.EventStore;
import io.fairlead.store.Retention;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Every interleaving of appending and attaching gives a client exactly the stream after its cursor.
 */
class RequestStreamModelTest {
  private static final int SCHEDULES = 20_000;
  private static final Retention ROOMY =
      new Retention(1024, 1 << 20, 1 << 21, 1 << 22, Duration.ofMinutes(5));

  private int present;

  private final Presence presence =
      new Presence() {
        @Override
        public void arrived() {
          present++;
        }

        @Override
        public void left() {
          present--;
        }
      };

  private RequestStream newStream() {
    EventStore store = new EventStore(ROOMY, System::nanoTime, kind -> {});
    return new RequestStream(
        store.openSession().open("s", () -> {}), true, presence, Metrics.none(), "test");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("streams 1: any schedule of append, attach, stall, leave and end loses nothing")
  void anyScheduleDeliversTheStreamAfterTheCursor() {
    long seed = Long.getLong("seed", System.nanoTime());
    for (int i = 0; i < SCHEDULES; i++) {
      try {
        runSchedule(new Random(seed + i));
      } catch (AssertionError | RuntimeException broken) {
        throw new AssertionError("run again with -Dseed=" + (seed + i), broken);
      }
    }
  }

  /**
   * What a client keeps: all messages it got, over all of its connections. It resumes at the last
   * id it saw, or, as a client may, at an earlier one; then it gets again what came after that.
   */
  private void runSchedule(Random random) {
    present = 0;
    RequestStream stream = newStream();
    List<String> appended = new ArrayList<>();
    List<String> received = new ArrayList<>();
    RecordingSink sink = null;
    int total = 1 + random.nextInt(12);
    int steps = 0;
    while (!(stream.isEnded() && sink != null && sink.ended)) {
      assertTrue(++steps < 10_000, "the schedule does not come to its end");
      switch (random.nextInt(5)) {
        case 0, 1 -> appendNext(stream, appended, total);
        case 2 -> {
          collect(sink, received);
          if (sink != null) {
            assertFalse(sink.ended);
          }
          int cursor =
              random.nextInt(4) == 0 ? random.nextInt(received.size() + 1) : received.size();
          received.subList(cursor, received.size()).clear();
          RecordingSink former = sink;
          sink = new RecordingSink();
          sink.room = random.nextInt(6);
          hook(random, sink, stream, appended, total);
          sink.attachTo(stream, cursor);
          assertTrue(former == null || former.displaced || former.left);
        }
        case 3 -> {
          if (sink != null && !sink.ended) {
            sink.room = random.nextInt(6);
            stream.pump();
          }
        }
        default -> {
          if (sink != null && !sink.ended && !sink.left) {
            stream.detach(sink);
            sink.left = true;
          }
        }
      }
    }
    collect(sink, received);
    assertEquals(appended, received);
    assertEquals(0, sink.gaps);
    assertEquals(0, present, "a connection is still counted");
  }

  /** The tool says something, or finishes, exactly while a replay is being written. */
  private void hook(
      Random random, RecordingSink sink, RequestStream stream, List<String> appended, int total) {
    if (random.nextBoolean()) {
      sink.onEvent = () -> appendNext(stream, appended, total);
    }
  }

  private static void appendNext(RequestStream stream, List<String> appended, int total) {
    if (stream.isEnded() || appended.size() == total) {
      return;
    }
    String message = "m" + appended.size();
    appended.add(message);
    boolean last = appended.size() == total;
    stream.append(last ? EventKind.RESPONSE : EventKind.NOTIFICATION, bytes(message));
    if (last) {
      stream.end();
    }
  }

  private static void collect(RecordingSink sink, List<String> received) {
    if (sink != null) {
      received.addAll(sink.messages);
      sink.messages.clear();
    }
  }

  @Test
  @DisplayName("streams 1: the tool finishes exactly between replay and live registration")
  void finalResponseReachesTheResumeThatReplays() {
    RequestStream stream = newStream();
    RecordingSink first = new RecordingSink();
    first.attachTo(stream, 0);
    stream.append(EventKind.NOTIFICATION, bytes("a"));
    stream.append(EventKind.NOTIFICATION, bytes("b"));
    stream.detach(first);

    RecordingSink resumed = new RecordingSink();
    resumed.onEvent =
        () -> {
          if (!stream.isEnded()) {
            stream.append(EventKind.RESPONSE, bytes("result"));
            stream.end();
          }
        };
    resumed.attachTo(stream, 1);

    assertEquals(List.of("b", "result"), resumed.messages);
    assertEquals(List.of("s-2", "s-3"), resumed.ids);
    assertTrue(resumed.ended);
  }

  @Test
  @DisplayName("streams 2: a response stored while nobody is attached reaches each later resume")
  void storedResponseIsDeliveredAgain() {
    RequestStream stream = newStream();
    stream.append(EventKind.RESPONSE, bytes("result"));
    stream.end();
    for (int i = 0; i < 2; i++) {
      RecordingSink sink = new RecordingSink();
      sink.attachTo(stream, 0);
      assertEquals(List.of("result"), sink.messages);
      assertTrue(sink.ended);
    }
  }

  @Test
  @DisplayName("streams 12: a newcomer takes over at once, and the old connection ends")
  void newcomerTakesOver() {
    RequestStream stream = newStream();
    RecordingSink old = new RecordingSink();
    old.attachTo(stream, 0);
    RecordingSink newcomer = new RecordingSink();
    newcomer.attachTo(stream, 0);
    stream.append(EventKind.NOTIFICATION, bytes("a"));
    stream.detach(old);
    stream.append(EventKind.NOTIFICATION, bytes("b"));
    assertTrue(old.displaced);
    assertEquals(List.of(), old.messages);
    assertEquals(List.of("a", "b"), newcomer.messages);
    assertEquals(1, present);
  }

  @Test
  @DisplayName("streams 18: the source is paused when the reader lags by half a ring, then resumed")
  void laggingReaderPausesTheSource() {
    RequestStream stream = newStream();
    List<String> calls = new ArrayList<>();
    stream.answers(
        Messages.request(),
        new StreamSource() {
          @Override
          public void pause() {
            calls.add("pause");
          }

          @Override
          public void resume() {
            calls.add("resume");
          }
        });
    RecordingSink sink = new RecordingSink();
    sink.room = 0;
    sink.attachTo(stream, 0);
    for (int i = 0; i < ROOMY.maxEventsPerStream(); i++) {
      stream.append(EventKind.NOTIFICATION, bytes("n" + i));
    }
    assertEquals(List.of("pause"), calls);
    sink.room = Integer.MAX_VALUE;
    stream.pump();
    assertEquals(List.of("pause", "resume"), calls);
    assertEquals(ROOMY.maxEventsPerStream(), sink.messages.size());
  }

  @Test
  @DisplayName("streams 10: a fault in the store costs the ids, never the call")
  void storeFaultGoesOnWithoutIds() {
    int[] time = {0};
    EventStore broken =
        new EventStore(
            ROOMY,
            () -> {
              if (time[0]++ > 0) {
                throw new IllegalStateException("injected");
              }
              return 0;
            },
            kind -> {});
    RequestStream stream =
        new RequestStream(
            broken.openSession().open("s", () -> {}), true, presence, Metrics.none(), "test");
    RecordingSink sink = new RecordingSink();
    sink.attachTo(stream, 0);
    time[0] = 1;
    stream.append(EventKind.NOTIFICATION, bytes("a"));
    stream.append(EventKind.RESPONSE, bytes("result"));
    stream.end();
    assertEquals(List.of("a", "result"), sink.messages);
    assertTrue(sink.ended);
  }

  @Test
  @DisplayName("streams 10: what was unread when the store failed is delivered, once")
  void storeFaultKeepsWhatWasUnread() {
    boolean[] fails = {false};
    EventStore broken =
        new EventStore(
            ROOMY,
            () -> {
              if (fails[0]) {
                throw new IllegalStateException("injected");
              }
              return 0;
            },
            kind -> {});
    RequestStream stream =
        new RequestStream(
            broken.openSession().open("s", () -> {}), true, presence, Metrics.none(), "test");
    RecordingSink sink = new RecordingSink();
    sink.room = 0;
    sink.attachTo(stream, 0);
    stream.append(EventKind.NOTIFICATION, bytes("a"));
    stream.append(EventKind.RESPONSE, bytes("result"));
    fails[0] = true;
    stream.end();
    sink.room = Integer.MAX_VALUE;
    stream.pump();
    assertEquals(List.of("a", "result"), sink.messages);
    assertTrue(sink.ended);
  }
}
