package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.WireLimits;

/**
 * JSON-RPC messages for the tests of backends, written as text.
 *
 * <p>Thread: any; stateless.
 */
final class Messages {

  private Messages() {}

  static Envelope read(String text) {
    return read(text.getBytes(UTF_8));
  }

  static Envelope read(byte[] bytes) {
    try {
      return new EnvelopeReader(WireLimits.WIDE).read(bytes);
    } catch (MalformedMessage e) {
      throw new IllegalArgumentException(new String(bytes, UTF_8), e);
    }
  }

  static String text(Envelope message) {
    return new String(message.bytes(), UTF_8);
  }

  static String request(String id, String method) {
    return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\"}";
  }

  static String request(String id, String method, String params) {
    return String.format(
        "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":%s}", id, method, params);
  }

  static String withToken(String id, String method, String token) {
    return request(id, method, "{\"_meta\":{\"progressToken\":" + token + "}}");
  }

  static String notification(String method) {
    return "{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\"}";
  }

  static String updated(String uri) {
    return String.format(
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\","
            + "\"params\":{\"uri\":\"%s\"}}",
        uri);
  }

  static String progress(String token, String progress) {
    return String.format(
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
            + "{\"progressToken\":%s,\"progress\":%s}}",
        token, progress);
  }

  static String result(String id, String result) {
    return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}";
  }

  static String toolCall(String id, String tool, String arguments) {
    return request(id, "tools/call", "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}");
  }

  static String toolCall(String id, String tool, String arguments, String token) {
    return request(
        id,
        "tools/call",
        String.format(
            "{\"name\":\"%s\",\"arguments\":%s,\"_meta\":{\"progressToken\":%s}}",
            tool, arguments, token));
  }
}
