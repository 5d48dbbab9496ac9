package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fairlead.wire.RpcId;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the id of an answer that could not be read (cut, not UTF-8, too deep), so that the one call
 * it was for does not wait for ever. Only ids of the gateway's own form count: short numbers.
 *
 * <p>Thread: any; stateless.
 */
final class AnswerId {
  private static final Pattern NUMBER = Pattern.compile("\\s*:\\s*(\\d{1,18})\\s*[,}]");
  private static final Pattern LAST =
      Pattern.compile("[,{]\\s*\"id\"\\s*:\\s*(\\d{1,18})\\s*}\\s*$");

  private AnswerId() {}

  /**
   * The id of the answer that starts with {@code head}: a member of the outermost object, whatever
   * follows. Empty too if a method is seen before it: then it is a request, with a foreign id.
   */
  static Optional<RpcId> atStart(byte[] head) {
    return firstMember(head, "\"id\"", "\"method\"")
        .filter(member -> member.key.equals("\"id\""))
        .map(member -> NUMBER.matcher(member.rest))
        .filter(Matcher::lookingAt)
        .map(number -> RpcId.of(Long.parseLong(number.group(1))));
  }

  /** Whether {@code head} starts an answer, whatever its id. */
  static boolean isAnswer(byte[] head) {
    return firstMember(head, "\"result\"", "\"error\"", "\"method\"")
        .filter(member -> !member.key.equals("\"method\""))
        .isPresent();
  }

  /** The id of the answer that ends with {@code tail}: the last member of the outermost object. */
  static Optional<RpcId> atEnd(byte[] tail) {
    Matcher last = LAST.matcher(new String(tail, ISO_8859_1));
    return last.find() ? Optional.of(RpcId.of(Long.parseLong(last.group(1)))) : Optional.empty();
  }

  /** A member of the outermost object, and the text after its key. */
  private record Member(String key, String rest) {}

  /** The first member of the outermost object that has one of these keys, which are quoted. */
  private static Optional<Member> firstMember(byte[] head, String... keys) {
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
          return Optional.of(new Member(string, text.substring(end)));
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
