package io.fairlead.bridge;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** How times and sizes are written on the command line. */
final class Readings {
  private static final Duration LONGEST = Duration.ofDays(365);
  private static final Pattern QUANTITY = Pattern.compile("(\\d{1,9})\\s*([a-z]*)");
  private static final Map<String, Long> MILLIS =
      Map.of("ms", 1L, "s", 1000L, "", 1000L, "m", 60_000L, "h", 3_600_000L);
  private static final Map<String, Long> BYTES =
      Map.of("", 1L, "b", 1L, "kib", 1L << 10, "k", 1L << 10, "mib", 1L << 20, "m", 1L << 20);

  private Readings() {}

  static Duration duration(String text) {
    String wanted = "a time of at most a year, as in 500ms, 5s or 2m";
    Duration read = Duration.ofMillis(read(text, MILLIS, wanted));
    if (read.compareTo(LONGEST) > 0) {
      throw new TypeConversionException("'" + text + "' is not " + wanted);
    }
    return read;
  }

  static ByteSize size(String text) {
    if (text.equals("auto")) {
      return ByteSize.ofHeap(Runtime.getRuntime().maxMemory());
    }
    String wanted = "auto, or a size from 1KiB to 1GiB, as in 64MiB";
    long bytes = read(text, BYTES, wanted);
    if (bytes < 1 << 10 || bytes > 1 << 30) {
      throw new TypeConversionException("'" + text + "' is not " + wanted);
    }
    return new ByteSize((int) bytes);
  }

  private static long read(String text, Map<String, Long> units, String wanted) {
    Matcher quantity = QUANTITY.matcher(text.toLowerCase(Locale.ROOT));
    if (!quantity.matches() || !units.containsKey(quantity.group(2))) {
      throw new TypeConversionException("'" + text + "' is not " + wanted);
    }
    return Long.parseLong(quantity.group(1)) * units.get(quantity.group(2));
  }
}
