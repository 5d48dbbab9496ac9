package io.fairlead.gateway.route;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/**
 * What a backend said of itself in its {@code InitializeResult}; members of the wrong type count as
 * absent.
 *
 * <p>Thread: any; nobody changes the objects.
 */
record Handshake(JsonObject capabilities, Optional<String> instructions, JsonObject serverInfo) {

  /** Empty if it is no object, or one that is larger than anybody needs. */
  static Optional<Handshake> of(byte[] initializeResult) {
    try {
      JsonObject result = new JsonObject(Buffer.buffer(initializeResult));
      return Optional.of(
          new Handshake(
              object(result, "capabilities").orElseGet(JsonObject::new),
              Optional.of(result)
                  .map(found -> found.getValue("instructions"))
                  .filter(String.class::isInstance)
                  .map(String.class::cast)
                  .filter(text -> !text.isBlank()),
              object(result, "serverInfo").orElseGet(JsonObject::new)));
    } catch (DecodeException e) {
      return Optional.empty();
    }
  }

  boolean offers(ListKind kind) {
    return capability(kind.capability()).isPresent();
  }

  /** The capability of this name, if it is announced. */
  Optional<JsonObject> capability(String name) {
    return object(capabilities, name);
  }

  private static Optional<JsonObject> object(JsonObject parent, String name) {
    return parent.getValue(name) instanceof JsonObject found
        ? Optional.of(found)
        : Optional.empty();
  }
}
