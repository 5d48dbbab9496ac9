package io.fairlead.gateway.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the key that was probably meant. */
final class Nearest {
  private Nearest() {}

  static String remedy(String unknown, Collection<String> known) {
    if (known.isEmpty()) {
      return "remove it";
    }
    int near = Math.max(2, unknown.length() / 3);
    Optional<String> meant =
        known.stream()
            .filter(key -> distance(unknown, key) <= near)
            .min(Comparator.comparingInt(key -> distance(unknown, key)));
    return meant
        .map(key -> "did you mean " + key + "?")
        .orElseGet(() -> "known here: " + String.join(", ", known));
  }

  /** How many characters must be added, removed or replaced to get from one to the other. */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int column = 0; column <= to.length(); column++) {
      row[column] = column;
    }
    for (int line = 1; line <= from.length(); line++) {
      int diagonal = row[0];
      row[0] = line;
      for (int column = 1; column <= to.length(); column++) {
        int replaced = diagonal + (from.charAt(line - 1) == to.charAt(column - 1) ? 0 : 1);
        diagonal = row[column];
        row[column] = Math.min(replaced, Math.min(row[column], row[column - 1]) + 1);
      }
    }
    return row[to.length()];
  }
}
