package io.fairlead.gateway.observe;

/**
 * Builds a line of {@code name=value} pairs in which no value from outside can pass for something
 * else: long ones are shortened, and what is not plain ASCII is escaped, so there is one line, with
 * no control characters and no look-alikes.
 *
 * <p>Thread: one at a time.
 */
public final class LogLine {
  private static final int MAX_VALUE = 64;
  private static final String PLAIN = "-._~:/@+,[]";

  private final StringBuilder line = new StringBuilder(160);

  /** Adds a pair, unless {@code value} is empty. */
  public LogLine text(String name, String value) {
    return value.isEmpty() ? this : append(name, bounded(value));
  }

  public LogLine number(String name, long value) {
    return append(name, Long.toString(value));
  }

  private LogLine append(String name, String value) {
    if (line.length() > 0) {
      line.append(' ');
    }
    line.append(name).append('=').append(value);
    return this;
  }

  /** {@code value} as it may stand in any log line. */
  public static String bounded(String value) {
    boolean whole = value.length() <= MAX_VALUE;
    String kept = whole ? value : value.substring(0, MAX_VALUE);
    if (whole && kept.chars().allMatch(LogLine::isPlain)) {
      return kept;
    }
    StringBuilder quoted = new StringBuilder(kept.length() + 8).append('"');
    kept.chars().forEach(c -> escape(quoted, (char) c));
    return quoted.append(whole ? "\"" : "...\"").toString();
  }

  private static void escape(StringBuilder out, char c) {
    if (c == '"' || c == '\\') {
      out.append('\\').append(c);
    } else if (c >= ' ' && c < 0x7f) {
      out.append(c);
    } else {
      out.append(String.format("\\u%04x", (int) c));
    }
  }

  private static boolean isPlain(int c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || PLAIN.indexOf(c) >= 0;
  }

  @Override
  public String toString() {
    return line.toString();
  }
}
