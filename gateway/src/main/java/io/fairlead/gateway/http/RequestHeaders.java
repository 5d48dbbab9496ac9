package io.fairlead.gateway.http;

import io.fairlead.wire.Headers;
import io.fairlead.wire.Revision;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The headers of one MCP request, checked for their form (MCP 2025-11-25, transports, "Sending
 * Messages to the Server" to "Protocol Version Header").
 *
 * <p>Thread: any; immutable.
 *
 * @param accept what the client takes
 * @param version the protocol version, if one was sent
 * @param session the session id as it was sent, if one was
 * @param lastEventId the cursor, if one was sent
 * @param call the client's number of the call, if one was sent
 */
record RequestHeaders(
    Accept accept,
    Optional<String> version,
    Optional<String> session,
    Optional<String> lastEventId,
    OptionalLong call) {
  /** The highest number of a call: sixteen digits. */
  static final long MAX_CALL = 9_999_999_999_999_999L;

  private static final int MAX_SESSION = 256;
  private static final Pattern CALL_NUMBER = Pattern.compile("[1-9][0-9]{0,15}");

  /** Reads them; fails with a {@link Refused} if one is not well-formed. */
  static RequestHeaders of(MultiMap headers, Accept accept) {
    return new RequestHeaders(
        accept,
        single(headers, Headers.VERSION),
        single(headers, Headers.SESSION),
        single(headers, Headers.LAST_EVENT_ID),
        callNumber(single(headers, Headers.CALL)));
  }

  /** Refuses a body that is not JSON in UTF-8. */
  static void checkContentType(MultiMap headers) {
    String type = single(headers, "Content-Type").orElse("").toLowerCase(Locale.ROOT);
    String charset = "";
    int parameters = type.indexOf(';');
    if (parameters >= 0) {
      for (String parameter : type.substring(parameters + 1).split(";")) {
        String trimmed = parameter.trim();
        if (trimmed.startsWith("charset=")) {
          charset = trimmed.substring("charset=".length()).replace("\"", "");
        }
      }
    }
    boolean utf8 = charset.isEmpty() || charset.equals("utf-8");
    if (!Accept.withoutParameters(type).equals(Headers.JSON) || !utf8) {
      throw new Refused(Refusals.unsupportedMediaType());
    }
  }

  /** Refuses a version that is not spoken. The stateless revision is refused by name. */
  void checkVersion() {
    if (version.isPresent() && Revision.of(version.get()).isEmpty()) {
      throw new Refused(
          isModern() ? SessionRefusals.modern() : SessionRefusals.unsupportedVersion());
    }
  }

  boolean isModern() {
    return version.filter(Revision.MODERN::equals).isPresent();
  }

  /** The session id, if one was sent; refuses what cannot be one. */
  Optional<String> sessionId() {
    session.ifPresent(RequestHeaders::checkSession);
    return session;
  }

  private static Optional<String> single(MultiMap headers, String name) {
    List<String> values = headers.getAll(name);
    if (values.size() > 1) {
      throw new Refused(Refusals.duplicateHeader(name));
    }
    return values.stream().findFirst();
  }

  private static OptionalLong callNumber(Optional<String> text) {
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    if (!CALL_NUMBER.matcher(text.get()).matches()) {
      throw new Refused(SessionRefusals.malformedCallNumber());
    }
    return OptionalLong.of(Long.parseLong(text.get()));
  }

  private static void checkSession(String id) {
    boolean visible = id.chars().allMatch(c -> c >= 0x21 && c <= 0x7e);
    if (id.isEmpty() || id.length() > MAX_SESSION || !visible) {
      throw new Refused(SessionRefusals.malformedSession());
    }
  }
}
