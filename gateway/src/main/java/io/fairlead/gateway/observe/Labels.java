package io.fairlead.gateway.observe;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Bounds the values of metric labels, so that nobody outside can make the number of time series
 * grow: what is unknown, odd or one too many becomes {@code other}.
 *
 * <p>Thread: owner loop. Owner: {@link PrometheusMetrics}.
 */
final class Labels {
  static final String OTHER = "other";
  static final int MAX_VALUES = 64;

  private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9_.-]{0,39}");

  private final Map<String, Set<String>> seen = new HashMap<>();
  private Set<String> backends = Set.of();

  /** The backends of the configuration; only these are told apart from now on. */
  void backends(Set<String> names) {
    backends = Set.copyOf(names);
  }

  String backend(String name) {
    return backends.contains(name) ? name : OTHER;
  }

  /** A word of this program's own, as a value of the label that {@code metric} has. */
  String word(String metric, String value) {
    Set<String> known = seen.computeIfAbsent(metric, unused -> new HashSet<>());
    if (known.contains(value)) {
      return value;
    }
    if (known.size() >= MAX_VALUES || !WORD.matcher(value).matches()) {
      return OTHER;
    }
    known.add(value);
    return value;
  }
}
