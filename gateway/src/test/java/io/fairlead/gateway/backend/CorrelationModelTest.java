package io.fairlead.gateway.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls that all have the same id, answered in any order, beside answers to nobody. */
class CorrelationModelTest {
  private static final int INTERLEAVINGS = 10_000;
  private static final int CALLS = 8;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final Counted counted = new Counted();
  private int ignored;

  @Test
  @DisplayName(
      "lifecycle 68: in 10,000 interleavings each call of one id gets its own answer, once")
  void equalIdsAreNeverCrossed() {
    for (int i = 0; i < INTERLEAVINGS; i++) {
      interleave();
    }
    assertEquals(ignored, counted.of("answers_ignored"), "seed=" + seed);
  }

  private void interleave() {
    Correlation correlation = new Correlation(counted.metrics);
    List<CallRecorder> callers = new ArrayList<>();
    List<Integer> waiting = new ArrayList<>();
    List<Integer> answered = new ArrayList<>();
    while (answered.size() < CALLS) {
      int next = random.nextInt(4);
      if (next == 0 && callers.size() < CALLS) {
        callers.add(new CallRecorder());
        correlation.begin(
            Messages.read(Messages.request("1", "ping")), callers.get(callers.size() - 1));
        waiting.add(callers.size());
      } else if (next == 1 && !waiting.isEmpty()) {
        int id = waiting.remove(random.nextInt(waiting.size()));
        deliver(correlation, id);
        answered.add(id);
      } else if (next == 2 && !answered.isEmpty()) {
        deliver(correlation, answered.get(random.nextInt(answered.size())));
        ignored++;
      } else if (next == 3) {
        deliver(correlation, CALLS + 1);
        ignored++;
      }
    }
    for (int i = 0; i < CALLS; i++) {
      String own = "answer " + Messages.result("1", "{\"to\":" + (i + 1) + "}");
      assertEquals(List.of(own), callers.get(i).takeAll(), "seed=" + seed);
    }
    assertEquals(0, correlation.size(), "seed=" + seed);
  }

  private static void deliver(Correlation correlation, int id) {
    correlation.deliver(Messages.read(Messages.result("" + id, "{\"to\":" + id + "}")));
  }
}
