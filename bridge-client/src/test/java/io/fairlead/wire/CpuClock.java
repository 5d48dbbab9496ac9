package io.fairlead.wire;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/** The time that this thread has computed, so that a busy machine makes no difference. */
final class CpuClock {

  private CpuClock() {}

  static Duration now() {
    return Duration.ofNanos(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
  }

  /** What {@code work} takes. */
  static Duration time(Runnable work) {
    Duration start = now();
    work.run();
    return now().minus(start);
  }
}
