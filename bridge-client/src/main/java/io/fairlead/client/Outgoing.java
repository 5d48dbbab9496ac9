package io.fairlead.client;

import io.fairlead.wire.Headers;
import io.vertx.core.http.HttpMethod;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One HTTP request to a server, without the credentials.
 *
 * @param target where to, if not the server's MCP endpoint
 * @param pooled whether it may use a connection that was used before, and so must be one that may
 *     be sent again
 */
record Outgoing(
    HttpMethod method, Map<String, String> headers, byte[] body, boolean pooled, String target) {
  private static final String ENDPOINT = "";
  private static final byte[] NONE = {};

  /** A POST of one message. */
  static Outgoing post(Session session, Map<String, String> extra, byte[] message, boolean pooled) {
    Map<String, String> headers = new LinkedHashMap<>(extra);
    headers.put("Content-Type", Headers.JSON);
    headers.put("Accept", Headers.JSON + ", " + Headers.SSE);
    headers.putAll(session.headers());
    return new Outgoing(HttpMethod.POST, headers, message, pooled, ENDPOINT);
  }

  /** A GET of an event stream. */
  static Outgoing stream(Session session, Map<String, String> extra) {
    Map<String, String> headers = new LinkedHashMap<>(extra);
    headers.put("Accept", Headers.SSE);
    headers.putAll(session.headers());
    return new Outgoing(HttpMethod.GET, headers, NONE, false, ENDPOINT);
  }

  /** The end of the session. */
  static Outgoing delete(Session session) {
    return new Outgoing(HttpMethod.DELETE, session.headers(), NONE, false, ENDPOINT);
  }

  /** A GET of a Fairlead's health page. */
  static Outgoing health() {
    return new Outgoing(HttpMethod.GET, Map.of(), NONE, false, "/healthz");
  }
}
