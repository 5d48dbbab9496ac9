package io.fairlead.gateway.config;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Values that a configuration record refuses.
 *
 * <p>Thread: any.
 */
public final class InvalidConfig extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient List<Fault> faults;

  InvalidConfig(List<Fault> faults) {
    this(text(faults), faults);
  }

  InvalidConfig(String message) {
    this(message, List.of());
  }

  private InvalidConfig(String message, List<Fault> faults) {
    super(message);
    this.faults = List.copyOf(faults);
  }

  List<Fault> faults() {
    return faults;
  }

  private static String text(List<Fault> faults) {
    return faults.stream().map(Fault::toString).collect(Collectors.joining("\n"));
  }
}
