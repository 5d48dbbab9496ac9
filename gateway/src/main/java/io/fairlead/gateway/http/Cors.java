package io.fairlead.gateway.http;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/**
 * Lets pages of allowed origins call the gateway and read what a client needs (Fetch, section 3.3).
 * No wildcard and no credentials mode: a token travels in Authorization, never in a cookie.
 *
 * <p>Thread: owner loop.
 */
public final class Cors {
  private static final String METHODS = "GET, POST, DELETE, OPTIONS";
  private static final String REQUEST_HEADERS =
      "content-type, accept, authorization, x-api-key, mcp-session-id, mcp-protocol-version,"
          + " mcp-method, mcp-name, last-event-id, fairlead-call";
  private static final String RESPONSE_HEADERS =
      "Mcp-Session-Id, WWW-Authenticate, MCP-Protocol-Version, Fairlead-Instance";
  private static final String MAX_AGE_SECONDS = "600";

  private final HostGuard guard;

  public Cors(HostGuard guard) {
    this.guard = guard;
  }

  /** Whether a browser asks what it may send. */
  public static boolean isPreflight(HttpServerRequest request) {
    return HttpMethod.OPTIONS.equals(request.method())
        && request.headers().contains("Origin")
        && request.headers().contains("Access-Control-Request-Method");
  }

  /**
   * Puts the headers on a real response, also on a refusal: without them a page sees neither its
   * session id nor why it was refused. To be called before anything may be written.
   */
  public void decorate(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    response.putHeader("Vary", "Origin");
    guard
        .allowedOrigin(request)
        .ifPresent(
            origin ->
                response
                    .putHeader("Access-Control-Allow-Origin", origin)
                    .putHeader("Access-Control-Expose-Headers", RESPONSE_HEADERS));
  }

  /** Answers a preflight that the guard let pass. */
  public void answerPreflight(HttpServerRequest request) {
    decorate(request);
    request
        .response()
        .setStatusCode(204)
        .putHeader("Access-Control-Allow-Methods", METHODS)
        .putHeader("Access-Control-Allow-Headers", REQUEST_HEADERS)
        .putHeader("Access-Control-Max-Age", MAX_AGE_SECONDS)
        .end();
  }
}
