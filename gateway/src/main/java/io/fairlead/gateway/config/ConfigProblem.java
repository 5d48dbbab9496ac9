package io.fairlead.gateway.config;

/**
 * One thing in a configuration that is refused.
 *
 * @param where file and line, or which other source said it
 * @param key the full key; empty when the text could not be read at all
 * @param what what is wrong, with the value unless it is a secret
 * @param remedy what to write instead
 */
public record ConfigProblem(String where, String key, String what, String remedy) {

  /** {@code file:line: key: what; remedy}, on one line whatever the value holds. */
  @Override
  public String toString() {
    String text = where + ": " + (key.isEmpty() ? "" : key + ": ") + what + "; " + remedy;
    return text.replaceAll("[\\p{Cntrl}\\x80-\\x9f\\x{2028}\\x{2029}]", "?");
  }
}
