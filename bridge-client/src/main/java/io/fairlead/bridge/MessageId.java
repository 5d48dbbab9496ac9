package io.fairlead.bridge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.OuterMember;
import io.fairlead.wire.RpcId;
import io.fairlead.wire.Span;
import io.fairlead.wire.WireLimits;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds out who waits for an answer to a message that cannot be read: it is malformed or too long.
 * Thread: any; without state.
 */
final class MessageId {
  private static final String ID = "\\s*:\\s*(\"(?:[^\"\\\\]|\\\\.){0,256}\"|-?\\d{1,18})\\s*";

  private static final Pattern VALUE = Pattern.compile(ID + "[,}]");

  private static final Pattern AT_END =
      Pattern.compile(",\\s*\"id\"" + ID + "(?:,\\s*\"jsonrpc\"\\s*:\\s*\"2.0\"\\s*)?}\\s*$");

  private MessageId() {}

  /** The id of the message that begins and ends so; both may be the whole of it. */
  static Optional<RpcId> find(byte[] head, byte[] tail) {
    return OuterMember.first(head, "\"id\"")
        .map(member -> VALUE.matcher(member.rest()))
        .filter(Matcher::lookingAt)
        .or(() -> Optional.of(AT_END.matcher(new String(tail, ISO_8859_1))).filter(Matcher::find))
        .flatMap(found -> id(found.group(1).getBytes(ISO_8859_1)));
  }

  /** Whether it answers a question; then its id is the server's, and means another call here. */
  static boolean isAnswer(byte[] head) {
    return OuterMember.first(head, "\"method\"", "\"params\"", "\"result\"", "\"error\"")
        .filter(member -> member.key().equals("\"result\"") || member.key().equals("\"error\""))
        .isPresent();
  }

  /** What is no JSON is not echoed. */
  private static Optional<RpcId> id(byte[] json) {
    try {
      new EnvelopeReader(WireLimits.WIDE).validate(json);
      return Optional.of(RpcId.copyOf(json, new Span(0, json.length)));
    } catch (MalformedMessage e) {
      return Optional.empty();
    }
  }
}
