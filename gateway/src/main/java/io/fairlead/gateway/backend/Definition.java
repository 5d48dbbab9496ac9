package io.fairlead.gateway.backend;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;

/**
 * What clients are told of one tool, resource, template or prompt, as the application wrote it.
 *
 * <p>Thread: any; immutable by convention (nobody changes {@link #parsed}).
 *
 * @param key its name or URI
 * @param json the whole definition, sent byte by byte
 * @param parsed the same, to look into
 */
record Definition(String key, String json, JsonObject parsed) {

  /**
   * Reads a definition whose key is the member {@code member}.
   *
   * @throws IllegalArgumentException if it is not a JSON object or has no such string
   */
  static Definition of(String json, String member) {
    try {
      JsonObject parsed = new JsonObject(json);
      if (parsed.getValue(member) instanceof String key && !key.isEmpty()) {
        return new Definition(key, json.strip(), parsed);
      }
    } catch (DecodeException e) {
      throw new IllegalArgumentException("a definition must be a JSON object: " + e.getMessage());
    }
    throw new IllegalArgumentException("a definition needs a string \"" + member + "\": " + json);
  }
}
