package io.fairlead.gateway.http;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a request's head says about its body: how it is framed, encoded, how long it is, and whether
 * it waits to be invited (RFC 9112, section 6; RFC 9110, sections 8.4 and 10.1.1).
 *
 * <p>Thread: owner loop; stateless.
 */
final class Framing {
  private static final String CONTINUE = "100-continue";
  private static final int MAX_LENGTH_DIGITS = 18;
  private static final int MAX_HEADERS = 100;

  private Framing() {}

  /**
   * Why nothing on this connection can be trusted or read on, if so. To be asked before anything
   * else: the HTTP decoder takes the body of an unknown transfer coding for the next request.
   */
  static Optional<Refusal> check(HttpServerRequest request) {
    int count = 0;
    boolean text = true;
    for (Map.Entry<String, String> header : request.headers()) {
      if (++count > MAX_HEADERS) {
        return Optional.of(Refusals.tooManyHeaders(MAX_HEADERS));
      }
      text = text && isText(header.getValue());
    }
    if (!text) {
      return Optional.of(Refusals.malformedHeader());
    }
    List<String> codings = request.headers().getAll(HttpHeaders.TRANSFER_ENCODING);
    boolean known =
        codings.isEmpty()
            || request.version() == HttpVersion.HTTP_1_1
                && codings.size() == 1
                && codings.get(0).equalsIgnoreCase("chunked");
    return known ? Optional.empty() : Optional.of(Refusals.unsupportedFraming());
  }

  /** Without control characters, of which HTTP/2 carries all (RFC 9113, section 8.2.1). */
  private static boolean isText(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < ' ' && c != '\t' || c == 0x7f) {
        return false;
      }
    }
    return true;
  }

  /** Why the transport could not read a request's head. */
  static Refusal unreadable(Throwable fault) {
    if (fault instanceof TooLongHttpLineException) {
      return Refusals.lineTooLong(ServerOptions.MAX_LINE);
    }
    if (fault instanceof KnownVersions.Unknown) {
      return Refusals.unsupportedHttpVersion();
    }
    return fault instanceof TooLongHttpHeaderException
        ? Refusals.headersTooLarge(ServerOptions.MAX_HEADER)
        : Refusals.unreadable();
  }

  /** Whether the body is bytes as they are, not compressed ones. */
  static boolean isPlain(HttpServerRequest request) {
    return request.headers().getAll(HttpHeaders.CONTENT_ENCODING).stream()
        .allMatch("identity"::equalsIgnoreCase);
  }

  /** The announced length; empty if the body is chunked or absent. */
  static Optional<Long> length(HttpServerRequest request) {
    return Optional.ofNullable(request.headers().get(HttpHeaders.CONTENT_LENGTH))
        .map(text -> text.length() > MAX_LENGTH_DIGITS ? Long.MAX_VALUE : Long.parseLong(text));
  }

  /** Whether the client announced an expectation that this server knows, or none. */
  static boolean expectationIsKnown(HttpServerRequest request) {
    return expectations(request).stream().allMatch(CONTINUE::equalsIgnoreCase);
  }

  /** Whether the client waits for an invitation before it sends the body. */
  static boolean expectsInvitation(HttpServerRequest request) {
    return !expectations(request).isEmpty();
  }

  private static List<String> expectations(HttpServerRequest request) {
    return request.version() == HttpVersion.HTTP_1_0
        ? List.of() // to be ignored: RFC 9110, section 10.1.1
        : request.headers().getAll(HttpHeaders.EXPECT);
  }
}
