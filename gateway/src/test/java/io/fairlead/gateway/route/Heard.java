package io.fairlead.gateway.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What happened, in order, with its time. Thread: any adds, the test's takes. */
final class Heard {
  private static final int BOUND_SECONDS = 10;

  private record Entry(String what, long nanos) {}

  private final BlockingQueue<Entry> entries = new LinkedBlockingQueue<>();

  void add(String what) {
    entries.add(new Entry(what, System.nanoTime()));
  }

  /** The next thing must be this one; gives its time in milliseconds. */
  long next(String expected) {
    Entry entry = poll(TimeUnit.SECONDS.toMillis(BOUND_SECONDS));
    assertNotNull(entry, "nothing came instead of " + expected);
    assertEquals(expected, entry.what);
    return TimeUnit.NANOSECONDS.toMillis(entry.nanos);
  }

  /** The next things must be these, in any order. */
  void nextInAnyOrder(String... expected) {
    List<String> got = new ArrayList<>();
    for (int i = 0; i < expected.length; i++) {
      Entry entry = poll(TimeUnit.SECONDS.toMillis(BOUND_SECONDS));
      assertNotNull(entry, "nothing came after " + got);
      got.add(entry.what);
    }
    assertEquals(List.of(expected).stream().sorted().toList(), got.stream().sorted().toList());
  }

  /** Nothing must come in this time. */
  void nothingFor(long millis) {
    assertNull(poll(millis));
  }

  void nothingMore() {
    nothingFor(0);
  }

  void clear() {
    entries.clear();
  }

  private Entry poll(long millis) {
    try {
      return entries.poll(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
