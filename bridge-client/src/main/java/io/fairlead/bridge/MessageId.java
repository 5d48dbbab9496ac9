package io.fairlead.bridge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.wire.RpcId;
import io.fairlead.wire.Span;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the id of a request that is too long to be read. Thread: any; without state. */
final class MessageId {
  private static final String ID = "\"id\"\\s*:\\s*(\"(?:[^\"\\\\]|\\\\.){0,256}\"|-?\\d{1,18})";

  /** In front of the params, where nobody but the sender's library writes. */
  private static final Pattern AT_START =
      Pattern.compile("^\\s*\\{(?:\\s*\"(?:jsonrpc|method)\"\\s*:\\s*\"[^\"]*\"\\s*,)*\\s*" + ID);

  private static final Pattern AT_END =
      Pattern.compile("," + "\\s*" + ID + "\\s*(?:,\\s*\"jsonrpc\"\\s*:\\s*\"2.0\"\\s*)?}\\s*$");

  private MessageId() {}

  static Optional<RpcId> find(byte[] head, byte[] tail) {
    return match(AT_START, head).or(() -> match(AT_END, tail));
  }

  private static Optional<RpcId> match(Pattern where, byte[] text) {
    Matcher found = where.matcher(new String(text, ISO_8859_1));
    if (!found.find()) {
      return Optional.empty();
    }
    byte[] json = found.group(1).getBytes(ISO_8859_1);
    boolean utf8 = new String(json, UTF_8).indexOf('\ufffd') < 0;
    return utf8 ? Optional.of(RpcId.copyOf(json, new Span(0, json.length))) : Optional.empty();
  }
}
