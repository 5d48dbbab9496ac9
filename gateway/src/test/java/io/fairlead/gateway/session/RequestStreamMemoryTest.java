package io.fairlead.gateway.session;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.observe.Metrics;
import io.fairlead.store.EventKind;
import io.fairlead.store.EventStore;
import io.fairlead.store.Retention;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a stream that has ended, and is kept for its client, still holds. */
class RequestStreamMemoryTest {
  private static final Presence NOBODY =
      new Presence() {
        @Override
        public void arrived() {}

        @Override
        public void left() {}
      };

  /** Keeps one event. */
  private final EventStore store =
      new EventStore(
          new Retention(1, 1 << 20, 1 << 21, 1 << 22, Duration.ofMinutes(5)),
          System::nanoTime,
          kind -> {});

  /** As a call is one, with its request and its arguments. */
  private static final class Source implements StreamSource {
    @Override
    public void pause() {}

    @Override
    public void resume() {}
  }

  @Test
  @DisplayName("neither the call with its request nor what the store has dropped")
  void endedStreamHoldsNothingBesideTheStore() {
    RequestStream stream =
        new RequestStream(
            store.openSession().open("s", () -> {}), true, NOBODY, Metrics.none(), "test");
    new RecordingSink().attachTo(stream, 0);
    WeakReference<Source> source = answeredBy(stream);
    WeakReference<byte[]> dropped = appended(stream);
    stream.append(EventKind.RESPONSE, "result".getBytes(StandardCharsets.UTF_8));
    awaitCollected(dropped);
    stream.end();
    awaitCollected(source);
    assertTrue(stream.isEnded());
  }

  private static WeakReference<Source> answeredBy(RequestStream stream) {
    Source source = new Source();
    stream.answers(Messages.request(), source);
    return new WeakReference<>(source);
  }

  private static WeakReference<byte[]> appended(RequestStream stream) {
    byte[] message = "told".getBytes(StandardCharsets.UTF_8);
    stream.append(EventKind.NOTIFICATION, message);
    return new WeakReference<>(message);
  }

  private static void awaitCollected(WeakReference<?> reference) {
    long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (reference.get() != null) {
      assertTrue(System.nanoTime() < deadline, "it is still held");
      System.gc();
    }
  }
}
