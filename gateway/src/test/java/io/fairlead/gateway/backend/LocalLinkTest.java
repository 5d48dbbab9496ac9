package io.fairlead.gateway.backend;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.OptionalDouble;

/** The link of a {@link LocalBackend} does what every link does. */
class LocalLinkTest extends LinkContract {
  private int cancels;

  @Override
  protected Backend backend(Context owner) {
    cancels = 0;
    JsonObject any = new JsonObject().put("type", "object");
    LocalBackend tested = LocalBackend.named("tested");
    return tested
        .tool("echo", "", any, call -> say(call.arguments().getString("text")))
        .tool("progress", "", any, this::progress)
        .tool("hold", "", any, this::hold)
        .tool("cancels", "", any, call -> say(String.valueOf(cancels)))
        .tool(
            "ask",
            "",
            any,
            call ->
                call.elicit(new JsonObject().put("message", "?"))
                    .map(result -> result.getJsonObject("content").getString("answer"))
                    .map(ToolResult::text))
        .tool("log", "", any, this::log)
        .tool(
            "changed",
            "",
            any,
            call -> {
              tested.tool("new", "", any, this::hold);
              return say("changed");
            });
  }

  private static Future<JsonObject> say(String text) {
    return Future.succeededFuture(ToolResult.text(text));
  }

  private Future<JsonObject> progress(ToolCall call) {
    int n = call.arguments().getInteger("n");
    for (int i = 1; i <= n; i++) {
      call.progress(i, OptionalDouble.of(n), "");
    }
    return say("done");
  }

  private Future<JsonObject> hold(ToolCall call) {
    call.onCancel(() -> cancels++);
    return Promise.<JsonObject>promise().future();
  }

  private Future<JsonObject> log(ToolCall call) {
    call.log("info", "test", "said");
    return say("logged");
  }
}
