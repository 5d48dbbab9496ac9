package io.fairlead.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.Optional;

/**
 * A member of the outermost object of a message that cannot be read (cut, not UTF-8, too deep): for
 * telling which call it was about, and nothing else.
 *
 * <p>Thread: any; immutable.
 *
 * @param key its name, in quotes as it was written
 * @param rest the text behind the name; each byte is one character
 */
public record OuterMember(String key, String rest) {

  /** The first one that has one of these names, which are in quotes. */
  public static Optional<OuterMember> first(byte[] head, String... keys) {
    String text = new String(head, ISO_8859_1);
    int depth = 0;
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '{' || c == '[') {
        depth++;
      } else if (c == '}' || c == ']') {
        depth--;
      } else if (c == '"') {
        int end = stringEnd(text, at);
        String string = text.substring(at, end);
        if (depth == 1 && List.of(keys).contains(string)) {
          return Optional.of(new OuterMember(string, text.substring(end)));
        }
        at = end - 1;
      }
    }
    return Optional.empty();
  }

  /** The offset after the string that starts at {@code start}, or the end of the text. */
  private static int stringEnd(String text, int start) {
    for (int at = start + 1; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '\\') {
        at++;
      } else if (c == '"') {
        return at + 1;
      }
    }
    return text.length();
  }
}
