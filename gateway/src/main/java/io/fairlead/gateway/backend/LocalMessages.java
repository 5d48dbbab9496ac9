package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.wire.Methods;
import io.vertx.core.json.JsonObject;
import java.util.OptionalDouble;

/**
 * The JSON-RPC messages that a {@link LocalBackend} writes.
 *
 * <p>Thread: any; stateless.
 */
final class LocalMessages {

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

  /** {@code token} is the client's own, as JSON text. */
  static byte[] progress(String token, double progress, OptionalDouble total, String message) {
    JsonObject rest = new JsonObject().put("progress", number(progress));
    total.ifPresent(value -> rest.put("total", number(value)));
    if (!message.isEmpty()) {
      rest.put("message", message);
    }
    String members = rest.encode().substring(1);
    return ("{\"jsonrpc\":\"2.0\",\"method\":\""
            + Methods.PROGRESS
            + "\",\"params\":{\"progressToken\":"
            + token
            + ","
            + members
            + "}")
        .getBytes(UTF_8);
  }

  static byte[] log(String level, String logger, Object data) {
    JsonObject params = new JsonObject().put("level", level);
    if (!logger.isEmpty()) {
      params.put("logger", logger);
    }
    return notification(Methods.MESSAGE, params.put("data", data));
  }

  /** A whole number is written without a fraction. */
  private static Number number(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return (long) value;
    }
    return value;
  }
}
