package io.fairlead.gateway.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How long a dispatched call may take.
 *
 * @param silent from dispatch to the answer, or if there is a maximum, without progress
 * @param max in all; empty: progress prolongs nothing
 */
public record CallTimeout(Duration silent, Optional<Duration> max) {
  public CallTimeout {
    Checks checks = new Checks().period("call-timeout", silent).period("call-timeout-max", max);
    max.ifPresent(
        longest ->
            checks.rule(
                longest.compareTo(silent) > 0,
                List.of("call-timeout-max", "call-timeout"),
                "is not longer than call-timeout, value=" + Checks.text(longest),
                "make it longer, or write off"));
    checks.done();
  }

  /** What no call outlasts. */
  public Duration longest() {
    return max.orElse(silent);
  }

  static Optional<CallTimeout> read(SectionReader section) {
    Optional<Duration> silent = section.durationOrOff("call-timeout");
    Optional<Duration> max = section.durationOrOff("call-timeout-max");
    if (silent.isEmpty() && max.isPresent()) {
      section.refuse(
          "call-timeout-max",
          "is set, but call-timeout is off",
          "write call-timeout too: how long a call may be silent");
      return Optional.empty();
    }
    return silent.map(found -> new CallTimeout(found, max));
  }
}
