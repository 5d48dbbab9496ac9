package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fairlead.wire.OuterMember;
import io.fairlead.wire.RpcId;
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
    return OuterMember.first(head, "\"id\"", "\"method\"")
        .filter(member -> member.key().equals("\"id\""))
        .map(member -> NUMBER.matcher(member.rest()))
        .filter(Matcher::lookingAt)
        .map(number -> RpcId.of(Long.parseLong(number.group(1))));
  }

  /** Whether {@code head} starts an answer, whatever its id. */
  static boolean isAnswer(byte[] head) {
    return OuterMember.first(head, "\"result\"", "\"error\"", "\"method\"")
        .filter(member -> !member.key().equals("\"method\""))
        .isPresent();
  }

  /** The id of the answer that ends with {@code tail}: the last member of the outermost object. */
  static Optional<RpcId> atEnd(byte[] tail) {
    Matcher last = LAST.matcher(new String(tail, ISO_8859_1));
    return last.find() ? Optional.of(RpcId.of(Long.parseLong(last.group(1)))) : Optional.empty();
  }
}
