package io.fairlead.gateway.backend;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.Json;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;

/**
 * What a client's result to a question of a tool is for that tool: clients may send any JSON.
 *
 * <p>Thread: any; stateless.
 */
final class AskedResult {

  private AskedResult() {}

  /** The object; fails with a {@link ToolFailure} that says what came instead, not its content. */
  static Future<JsonObject> of(Envelope answer) {
    byte[] result = Json.copy(answer.bytes(), answer.result().orElseThrow());
    if (result[0] != '{') {
      return failed("is no object, type=" + type(result[0]));
    }
    try {
      return Future.succeededFuture(new JsonObject(Buffer.buffer(result)));
    } catch (DecodeException e) {
      // the decoder takes less than may pass through: names up to a length, and no half characters
      return failed("is an object that cannot be read: it has an odd name, or is too deep");
    }
  }

  private static Future<JsonObject> failed(String what) {
    return Future.failedFuture(new ToolFailure("The client's answer " + what + "."));
  }

  private static String type(byte first) {
    return switch (first) {
      case '[' -> "array";
      case '"' -> "string";
      case 't', 'f' -> "boolean";
      case 'n' -> "null";
      default -> "number";
    };
  }
}
