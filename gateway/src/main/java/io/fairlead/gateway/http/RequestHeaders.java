package io.fairlead.gateway.http;

import io.fairlead.wire.Headers;
import io.fairlead.wire.Revision;
import io.vertx.core.http.HttpServerRequest;
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
 * @param json whether the client takes JSON
 * @param stream whether the client takes an event stream
 * @param streamFirst whether the client names an event stream before JSON, and so prefers it
 * @param session the session id, if one was sent
 * @param version the protocol version, if one was sent
 * @param lastEventId the cursor, if one was sent
 * @param call the client's number of the call, if one was sent
 */
record RequestHeaders(
    boolean json,
    boolean stream,
    boolean streamFirst,
    Optional<String> session,
    Optional<String> version,
    Optional<String> lastEventId,
    OptionalLong call) {
  private static final int MAX_SESSION = 256;
  private static final Pattern CALL_NUMBER = Pattern.compile("[1-9][0-9]{0,15}");

  /** Reads them; fails with a {@link Refused} if one is not well-formed. */
  static RequestHeaders of(HttpServerRequest request) {
    List<String> accept =
        request.headers().getAll("Accept").stream()
            .flatMap(line -> List.of(line.split(",")).stream())
            .map(RequestHeaders::withoutParameters)
            .toList();
    boolean anything = accept.isEmpty() || accept.contains("*/*");
    return new RequestHeaders(
        anything || accept.contains(Headers.JSON) || accept.contains("application/*"),
        accept.contains(Headers.SSE) || accept.contains("text/*"),
        accept.contains(Headers.SSE) && accept.indexOf(Headers.SSE) < accept.indexOf(Headers.JSON),
        single(request, Headers.SESSION).map(RequestHeaders::sessionId),
        single(request, Headers.VERSION),
        single(request, Headers.LAST_EVENT_ID),
        callNumber(single(request, Headers.CALL)));
  }

  /** Refuses a body that is not JSON in UTF-8. */
  static void checkContentType(HttpServerRequest request) {
    String type = single(request, "Content-Type").orElse("").toLowerCase(Locale.ROOT);
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
    if (!withoutParameters(type).equals(Headers.JSON) || !utf8) {
      throw new Refused(Refusals.unsupportedMediaType());
    }
  }

  /** Refuses a version that is not spoken. The stateless revision is refused by name. */
  void checkVersion() {
    if (version.isPresent() && Revision.of(version.get()).isEmpty()) {
      throw new Refused(isModern() ? Refusals.modern() : Refusals.unsupportedVersion());
    }
  }

  boolean isModern() {
    return version.filter(Revision.MODERN::equals).isPresent();
  }

  /** How the answer to a request that may stream is to be given; {@code eager}: from the start. */
  CallReply.Form form(boolean eager) {
    if (!stream) {
      return CallReply.Form.JSON;
    }
    return eager || streamFirst || !json ? CallReply.Form.STREAM : CallReply.Form.EITHER;
  }

  private static String withoutParameters(String mediaType) {
    int parameters = mediaType.indexOf(';');
    return (parameters < 0 ? mediaType : mediaType.substring(0, parameters))
        .trim()
        .toLowerCase(Locale.ROOT);
  }

  private static Optional<String> single(HttpServerRequest request, String name) {
    List<String> values = request.headers().getAll(name);
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
      throw new Refused(Refusals.malformedCallNumber());
    }
    return OptionalLong.of(Long.parseLong(text.get()));
  }

  private static String sessionId(String id) {
    boolean visible = id.chars().allMatch(c -> c >= 0x21 && c <= 0x7e);
    if (id.isEmpty() || id.length() > MAX_SESSION || !visible) {
      throw new Refused(Refusals.malformedSession());
    }
    return id;
  }
}
