package io.fairlead.gateway.backend;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The params of a request to a {@link LocalBackend}; what is not there or has another type is
 * refused with -32602.
 *
 * <p>Thread: owner loop.
 */
final class LocalParams {
  private final String path;
  private final JsonObject object;

  private LocalParams(String path, JsonObject object) {
    this.path = path;
    this.object = object;
  }

  static LocalParams of(Envelope request) {
    byte[] bytes =
        request
            .params()
            .map(span -> Json.copy(request.bytes(), span))
            .orElse(new byte[] {'{', '}'});
    if (bytes[0] != '{') {
      throw RpcFailure.invalidParams("params must be an object");
    }
    try {
      return new LocalParams("params", new JsonObject(Buffer.buffer(bytes)));
    } catch (DecodeException e) {
      throw RpcFailure.invalidParams(
          "params cannot be read: they have a name that is too long or half a character");
    }
  }

  JsonObject json() {
    return object;
  }

  String string(String key) {
    if (object.getValue(key) instanceof String text) {
      return text;
    }
    throw RpcFailure.invalidParams(path + "." + key + " must be a string");
  }

  /** An object, empty if it is not there. */
  LocalParams object(String key) {
    Object value = object.getValue(key, new JsonObject());
    if (value instanceof JsonObject found) {
      return new LocalParams(path + "." + key, found);
    }
    throw RpcFailure.invalidParams(path + "." + key + " must be an object");
  }

  /** All members as texts. */
  Map<String, String> strings() {
    Map<String, String> strings = new LinkedHashMap<>();
    object.forEach(member -> strings.put(member.getKey(), String.valueOf(member.getValue())));
    return strings;
  }
}
