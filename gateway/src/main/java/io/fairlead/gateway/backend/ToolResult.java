package io.fairlead.gateway.backend;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/**
 * Builds the usual {@code CallToolResult} objects.
 *
 * <p>Thread: any; stateless.
 */
public final class ToolResult {

  private ToolResult() {}

  /** A result with one text. */
  public static JsonObject text(String text) {
    return content(new JsonObject().put("type", "text").put("text", text));
  }

  /** A result with these content blocks. */
  public static JsonObject content(JsonObject... blocks) {
    JsonArray content = new JsonArray();
    for (JsonObject block : blocks) {
      content.add(block);
    }
    return new JsonObject().put("content", content);
  }

  /** A structured result, and the same as text for clients that do not know structured results. */
  public static JsonObject structured(JsonObject value) {
    return text(value.encode()).put("structuredContent", value);
  }

  /** A result that says that the tool failed. */
  public static JsonObject failure(String text) {
    return text(text).put("isError", true);
  }
}
