package io.fairlead.gateway.backend;

import io.vertx.core.Future;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/**
 * Makes a {@code CallToolResult} of what a consumer on the event bus replied.
 *
 * <p>Thread: any; stateless.
 */
final class EventBusReply {

  private EventBusReply() {}

  /** A result as it is; any other object as a structured one; all other JSON as a text. */
  static Future<JsonObject> result(Object body) {
    if (body == null) {
      return Future.succeededFuture(ToolResult.content());
    }
    if (body instanceof JsonObject object) {
      return Future.succeededFuture(isResult(object) ? object : ToolResult.structured(object));
    }
    if (body instanceof JsonArray array) {
      return Future.succeededFuture(ToolResult.text(array.encode()));
    }
    return body instanceof CharSequence || body instanceof Number || body instanceof Boolean
        ? Future.succeededFuture(ToolResult.text(body.toString()))
        : Future.failedFuture(
            new ToolFailure(
                "The tool ran, but what it replied is no JSON, type="
                    + body.getClass().getSimpleName()
                    + ". Its consumer has to reply with a JsonObject or a String."));
  }

  /** Has content blocks, each of a type. */
  private static boolean isResult(JsonObject object) {
    return object.getValue("content") instanceof JsonArray content
        && content.stream()
            .allMatch(
                block ->
                    block instanceof JsonObject found && found.getValue("type") instanceof String);
  }

  /** What the consumer itself says went wrong. */
  static ToolFailure failure(ReplyException reply) {
    String text = reply.getMessage();
    return new ToolFailure(
        text == null || text.isBlank() ? "The tool failed, code=" + reply.failureCode() : text);
  }
}
