package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.wire.Json;
import io.fairlead.wire.Methods;
import io.vertx.core.json.JsonObject;
import java.util.OptionalDouble;

/**
 * The JSON-RPC messages that a {@link LocalBackend} writes.
 *
 * <p>Thread: any; stateless.
 */
final class LocalMessages {
  // a tool may tell of its progress often: no object is made of what is written
  private static final String PROGRESS_OF =
      "{\"jsonrpc\":\"2.0\",\"method\":\"" + Methods.PROGRESS + "\",\"params\":{\"progressToken\":";

  private LocalMessages() {}

  static byte[] request(long id, String method, JsonObject params) {
    return new JsonObject()
        .put("jsonrpc", "2.0")
        .put("id", id)
        .put("method", method)
        .put("params", params)
        .encode()
        .getBytes(UTF_8);
  }

  static byte[] notification(String method, JsonObject params) {
    JsonObject message = new JsonObject().put("jsonrpc", "2.0").put("method", method);
    return (params.isEmpty() ? message : message.put("params", params)).encode().getBytes(UTF_8);
  }

  /**
   * {@code token} is the client's own, as JSON text.
   *
   * @throws IllegalArgumentException if a number is none that JSON can write
   */
  static byte[] progress(String token, double progress, OptionalDouble total, String message) {
    StringBuilder text = new StringBuilder(PROGRESS_OF).append(token);
    number("progress", progress, text);
    total.ifPresent(value -> number("total", value, text));
    if (!message.isEmpty()) {
      text.append(",\"message\":").append(new String(Json.quote(message), UTF_8));
    }
    return text.append("}}").toString().getBytes(UTF_8);
  }

  static byte[] log(String level, String logger, Object data) {
    JsonObject params = new JsonObject().put("level", level);
    if (!logger.isEmpty()) {
      params.put("logger", logger);
    }
    return notification(Methods.MESSAGE, params.put("data", data));
  }

  /** A whole number is written without a fraction. */
  private static void number(String name, double value, StringBuilder to) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(name + "=" + value + " is no number for JSON");
    }
    to.append(",\"").append(name).append("\":");
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      to.append((long) value);
    } else {
      to.append(value);
    }
  }
}
