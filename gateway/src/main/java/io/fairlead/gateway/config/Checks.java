package io.fairlead.gateway.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Collects the broken rules of one record, so that all of them are reported at once.
 *
 * <p>Thread: any, one at a time.
 */
final class Checks {
  private static final Duration LONGEST = Duration.ofDays(365);

  private final List<Fault> faults = new ArrayList<>();

  Checks between(String key, long value, long min, long max) {
    if (value < min) {
      fault("is too small, value=" + value, "write at least " + min, key);
    } else if (value > max) {
      fault("is too large, value=" + value, "write at most " + max, key);
    }
    return this;
  }

  Checks atLeast(String key, long value, long min) {
    return between(key, value, min, Integer.MAX_VALUE);
  }

  /** A wait that may be nothing. */
  Checks wait(String key, Duration value) {
    return within(key, value, Duration.ZERO);
  }

  /** A wait that lasts at least a millisecond. */
  Checks period(String key, Duration value) {
    return within(key, value, Duration.ofMillis(1));
  }

  Checks period(String key, Optional<Duration> value) {
    value.ifPresent(found -> period(key, found));
    return this;
  }

  Checks rule(boolean holds, String key, String what, String remedy) {
    return rule(holds, List.of(key), what, remedy);
  }

  /** A rule about several keys; it is reported at the first. */
  Checks rule(boolean holds, List<String> keys, String what, String remedy) {
    if (!holds) {
      faults.add(new Fault(keys, what, remedy));
    }
    return this;
  }

  /**
   * @throws InvalidConfig with everything that was found
   */
  void done() {
    if (!faults.isEmpty()) {
      throw new InvalidConfig(faults);
    }
  }

  /** A duration as one would write it in a configuration. */
  static String text(Duration value) {
    if (value.isZero()) {
      return "0s";
    }
    if (value.toMillisPart() != 0 || value.getSeconds() == 0) {
      return value.toMillis() + "ms";
    }
    long seconds = value.getSeconds();
    if (seconds % 86400 == 0) {
      return seconds / 86400 + "d";
    }
    return seconds % 3600 == 0
        ? seconds / 3600 + "h"
        : seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }

  private Checks within(String key, Duration value, Duration shortest) {
    if (value.compareTo(shortest) < 0 || value.compareTo(LONGEST) > 0) {
      fault(
          "is out of range, value=" + text(value),
          "write " + text(shortest) + " up to " + text(LONGEST),
          key);
    }
    return this;
  }

  private void fault(String what, String remedy, String key) {
    faults.add(new Fault(List.of(key), what, remedy));
  }
}
