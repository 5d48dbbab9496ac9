package io.fairlead.store;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The store against {@link NaiveStore} over random schedules, one seed each. Streams 1, 7 to 9.
 *
 * <p>{@code -Dstore.seed=N} runs one seed; {@code -Dstore.schedules=N} changes how many are run.
 */
class EventStoreModelTest {

  private static final Duration TTL = Duration.ofMillis(40);
  private static final int SCHEDULES = Integer.getInteger("store.schedules", 10_000);
  private static final int STEPS = 60;

  private static final List<Retention> BOUNDS =
      List.of(
          new Retention(1024, 1 << 20, 1 << 20, 1 << 20, TTL),
          new Retention(4, 1 << 20, 1 << 20, 1 << 20, TTL),
          new Retention(1, 1 << 20, 1 << 20, 1 << 20, TTL),
          new Retention(1024, 600, 1 << 20, 1 << 20, TTL),
          new Retention(1024, 1_500, 2_500, 1 << 20, TTL),
          new Retention(1024, 1_500, 1 << 20, 3_500, TTL),
          new Retention(6, 900, 2_600, 4_500, TTL),
          new Retention(3, 500, 1_200, 1_900, TTL),
          new Retention(1024, 800, 800, 800, TTL),
          new Retention(0, 0, 0, 0, TTL));

  @Test
  void randomSchedulesAgreeWithTheModel() {
    Long seed = Long.getLong("store.seed");
    if (seed != null) {
      run(seed);
      return;
    }
    long first = new Random().nextLong();
    for (int i = 0; i < SCHEDULES; i++) {
      run(first + i);
    }
  }

  private static void run(long seed) {
    Random random = new Random(seed);
    Schedule schedule = new Schedule(random, BOUNDS);
    try {
      for (int step = 0; step < STEPS; step++) {
        schedule.step();
      }
      schedule.closeAll();
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("-Dstore.seed=" + seed + " failed at " + schedule, e);
    }
  }
}
