package io.fairlead.gateway.http;

import static io.fairlead.gateway.http.Refusal.refusal;
import static io.fairlead.wire.RpcError.INTERNAL;
import static io.fairlead.wire.RpcError.INVALID_REQUEST;
import static io.fairlead.wire.RpcError.SERVER;

import java.time.Duration;

/**
 * The catalogue of what the front refuses whoever asks for what: for each case one status, one
 * JSON-RPC code, one {@code data.reason} and one text. Texts never repeat what a client sent,
 * except names of headers. What is wrong with a session or a message is in {@link SessionRefusals}.
 *
 * <p>Thread: any; stateless.
 */
public final class Refusals {
  static final String MALFORMED = "malformed";

  private static final String OVERLOADED = "overloaded";
  private static final String RETRY_AFTER = "Retry-After";
  private static final String CHALLENGE = "WWW-Authenticate";

  private Refusals() {}

  // What is wrong with the HTTP request as such

  /** A target that is no path, or no proper one (RFC 9112, section 3.2; RFC 3986, section 2.1). */
  public static Refusal malformedTarget() {
    return refusal(
        400, INVALID_REQUEST, MALFORMED, "The request target must be a well-formed path.");
  }

  /** Host is missing, doubled or not a host (RFC 9112, section 3.2). */
  public static Refusal malformedHost() {
    return refusal(
        400, INVALID_REQUEST, MALFORMED, "Exactly one well-formed Host header is required.");
  }

  /** A header that may come once came more often. */
  public static Refusal duplicateHeader(String name) {
    return refusal(
        400, INVALID_REQUEST, MALFORMED, "The header " + name + " must be sent exactly once.");
  }

  /** A header's value holds a line's end or the like (RFC 9110, section 5.5). */
  public static Refusal malformedHeader() {
    return refusal(
        400, INVALID_REQUEST, MALFORMED, "The value of a header holds a control character.");
  }

  /** Host is not in {@code listen.allowed-hosts}: protects against DNS rebinding. */
  public static Refusal hostForbidden() {
    return refusal(
        403,
        SERVER,
        "host_forbidden",
        "This Host is not served here; the operator can add it to listen.allowed-hosts.");
  }

  /** Origin is not in {@code listen.allowed-origins}. */
  public static Refusal originForbidden() {
    return refusal(
        403,
        SERVER,
        "origin_forbidden",
        "This Origin is not allowed here; the operator can add it to listen.allowed-origins.");
  }

  /** Nothing is served at this path. */
  public static Refusal pathUnknown() {
    return refusal(
        404,
        SERVER,
        "path_unknown",
        "Nothing is served at this path; check the URL of the server.");
  }

  /** The path knows only the methods {@code allow}, as in the Allow header. */
  public static Refusal methodNotAllowed(String allow) {
    return refusal(405, SERVER, "method_not_allowed", "This path answers to " + allow + " only.")
        .header("Allow", allow);
  }

  public static Refusal notAcceptable(String types) {
    return refusal(406, SERVER, "not_acceptable", "The header Accept must allow " + types + ".");
  }

  public static Refusal unsupportedMediaType() {
    return refusal(
        415,
        SERVER,
        "unsupported_media_type",
        "The header Content-Type must be application/json in UTF-8.");
  }

  public static Refusal unsupportedEncoding() {
    return refusal(
        415,
        SERVER,
        "unsupported_media_type",
        "Compressed bodies are not read; send the body without Content-Encoding.");
  }

  public static Refusal expectationFailed() {
    return refusal(
        417, SERVER, "expectation_failed", "The header Expect may only be 100-continue.");
  }

  /** The body's framing is not known, so nothing after it can be read either. */
  public static Refusal unsupportedFraming() {
    return refusal(
            400, INVALID_REQUEST, MALFORMED, "The header Transfer-Encoding may only be chunked.")
        .closing();
  }

  /** What came is not a request, and whatever follows it cannot be read either. */
  public static Refusal unreadable() {
    return refusal(400, INVALID_REQUEST, MALFORMED, "What was sent is not an HTTP request.")
        .closing();
  }

  /** Another version of HTTP (RFC 9110, section 15.6.6), whose bytes may mean anything. */
  public static Refusal unsupportedHttpVersion() {
    return refusal(
            505,
            SERVER,
            "unsupported_http_version",
            "This version of HTTP is not spoken on this connection; HTTP/1.1 is, and HTTP/2 with"
                + " TLS.")
        .closing();
  }

  public static Refusal lineTooLong(long limit) {
    return refusal(
            414,
            SERVER,
            "too_large",
            "The first line of the request is longer than " + limit + " bytes.")
        .closing();
  }

  public static Refusal headersTooLarge(long limit) {
    return refusal(
            431, SERVER, "too_large", "The headers are larger than " + limit + " bytes together.")
        .closing();
  }

  public static Refusal tooManyHeaders(long limit) {
    return refusal(431, SERVER, "too_large", "The request has more than " + limit + " headers.")
        .closing();
  }

  public static Refusal tooLarge(long limit) {
    return refusal(
            413, SERVER, "too_large", "The body is larger than limits.body=" + limit + " bytes.")
        .closing();
  }

  public static Refusal tooSlow(Duration limit) {
    return refusal(
            408,
            SERVER,
            "too_slow",
            "The body did not arrive within limits.body-timeout=" + limit.toMillis() + " ms.")
        .closing();
  }

  // What an embedding application did

  /** The request came in on an event loop that is not the gateway's. */
  public static Refusal wrongLoop() {
    return refusal(500, INTERNAL, "wrong_loop", "Served on a foreign event loop; see the log.");
  }

  /** Another gateway gets a part of the connections to this address. */
  public static Refusal sharedAddress() {
    return refusal(500, INTERNAL, "shared_address", "Two gateways serve this URL; see the log.");
  }

  /** Somebody before the gateway took the body. */
  public static Refusal bodyGone() {
    return refusal(500, INTERNAL, "body_gone", "The body was read before its turn; see the log.");
  }

  /** Nobody is authenticated, and the connection came in at an address that others can reach. */
  public static Refusal notLoopback() {
    return refusal(
        403,
        SERVER,
        "not_loopback",
        "Only loopback is served without authentication; the operator can set auth.mode.");
  }

  // Who asks

  /** No credentials, or not valid ones; {@code challenge} is the WWW-Authenticate header. */
  public static Refusal unauthorized(String challenge) {
    return refusal(
            401, SERVER, "unauthorized", "Valid credentials are required; see WWW-Authenticate.")
        .header(CHALLENGE, challenge);
  }

  /** Valid credentials that do not reach far enough; {@code challenge} says what would. */
  public static Refusal insufficientScope(String challenge) {
    return refusal(
            403,
            SERVER,
            "insufficient_scope",
            "The token lacks a scope that is required here; see WWW-Authenticate.")
        .header(CHALLENGE, challenge);
  }

  /** Too many wrong credentials from one address; in {@code wait} there is a 401 again. */
  public static Refusal tooManyFailures(Duration wait) {
    return refusal(
            429,
            SERVER,
            "too_many_failures",
            "Too many wrong credentials came from this address; valid ones are not held up.")
        .header(RETRY_AFTER, Long.toString(wait.toSeconds() + 1));
  }

  // Capacity

  /**
   * A limit is reached.
   *
   * @param limit the key of the limit in the configuration; its value and use are not told
   */
  public static Refusal overloaded(String limit) {
    return refusal(
            503,
            INTERNAL,
            OVERLOADED,
            "The gateway is at its limit " + limit + "; nothing was run, try again later.")
        .with("limit", limit)
        .header(RETRY_AFTER, "1");
  }

  public static Refusal draining() {
    return refusal(
            503,
            INTERNAL,
            "draining",
            "The gateway is shutting down; nothing was run, try again later.")
        .header(RETRY_AFTER, "5");
  }

  /** A client loops on resuming a stream that has ended. */
  public static Refusal resumedTooOften() {
    return refusal(
            429,
            SERVER,
            OVERLOADED,
            "This stream has ended and was resumed too often; there is nothing more on it.")
        .header(RETRY_AFTER, "60");
  }

  // Faults

  /** A fault of the gateway itself; its cause is logged, never told. */
  public static Refusal internal() {
    return refusal(
        500,
        INTERNAL,
        "internal",
        "The gateway failed to handle this request, and its log says why; it may have been run.");
  }
}
