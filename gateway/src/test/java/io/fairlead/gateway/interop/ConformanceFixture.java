package io.fairlead.gateway.interop;

import io.fairlead.gateway.backend.CompletionHandler.Completion;
import io.fairlead.gateway.backend.LocalBackend;
import io.fairlead.gateway.backend.PromptHandler.Get;
import io.fairlead.gateway.backend.ResourceHandler.Read;
import io.fairlead.gateway.backend.ToolCall;
import io.fairlead.gateway.backend.ToolHandler;
import io.fairlead.gateway.backend.ToolResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * What {@code fixture.mjs} offers, in this process.
 *
 * <p>Thread: owner loop, but for {@link #backend}.
 */
final class ConformanceFixture {
  private static final Path OFFERED = Path.of("src/test/interop/fixture.json");

  private final JsonObject offered;

  private ConformanceFixture(JsonObject offered) {
    this.offered = offered;
  }

  static LocalBackend backend(String name) throws IOException {
    JsonObject offered = new JsonObject(Buffer.buffer(Files.readAllBytes(OFFERED)));
    return new ConformanceFixture(offered).offer(LocalBackend.named(name));
  }

  private LocalBackend offer(LocalBackend backend) {
    objects("tools").forEach(tool -> backend.tool(tool.encode(), handler(tool.getString("name"))));
    objects("resources")
        .forEach(resource -> backend.resource(resource.encode(), read -> read(resource)));
    objects("resourceTemplates")
        .forEach(template -> backend.template(template.encode(), ConformanceFixture::fill));
    objects("prompts")
        .forEach(
            prompt -> backend.prompt(prompt.encode(), get -> fill(prompt.getString("name"), get)));
    return backend.completion(this::complete);
  }

  private Stream<JsonObject> objects(String key) {
    return offered.getJsonArray(key).stream().map(JsonObject.class::cast);
  }

  private ToolHandler handler(String tool) {
    JsonObject result = offered.getJsonObject("results").getJsonObject(tool);
    JsonObject question = offered.getJsonObject("questions").getJsonObject(tool);
    if (result != null) {
      return call -> Future.succeededFuture(result);
    }
    return question == null
        ? Map.<String, ToolHandler>of(
                "test_tool_with_logging", ConformanceFixture::log,
                "test_tool_with_progress", ConformanceFixture::progress,
                "test_sampling", ConformanceFixture::sample,
                "test_reconnection", ConformanceFixture::reconnect)
            .get(tool)
        : call -> elicit(call, question);
  }

  private static Future<JsonObject> log(ToolCall call) {
    call.log("info", "fixture", "Tool execution started");
    return pause(50)
        .andThen(done -> call.log("info", "fixture", "Tool processing data"))
        .compose(done -> pause(50))
        .andThen(done -> call.log("info", "fixture", "Tool execution completed"))
        .map(done -> ToolResult.text("Tool with logging executed."));
  }

  private static Future<JsonObject> progress(ToolCall call) {
    OptionalDouble total = OptionalDouble.of(100);
    call.progress(0, total, "");
    return pause(50)
        .andThen(done -> call.progress(50, total, ""))
        .compose(done -> pause(50))
        .andThen(done -> call.progress(100, total, ""))
        .map(done -> ToolResult.text("Tool with progress executed."));
  }

  private static Future<JsonObject> sample(ToolCall call) {
    JsonObject content =
        new JsonObject().put("type", "text").put("text", call.arguments().getString("prompt"));
    JsonObject message = new JsonObject().put("role", "user").put("content", content);
    return call.sample(
            new JsonObject().put("messages", new JsonArray().add(message)).put("maxTokens", 100))
        .map(said -> ToolResult.text("LLM response: " + said.getJsonObject("content")));
  }

  private static Future<JsonObject> reconnect(ToolCall call) {
    return pause(100)
        .andThen(done -> call.closeClientConnection(Duration.ofMillis(100)))
        .compose(done -> pause(600))
        .map(done -> ToolResult.text("Reconnection test completed successfully."));
  }

  private static Future<JsonObject> elicit(ToolCall call, JsonObject schema) {
    String message = call.arguments().getString("message", "Please fill in the form");
    return call.elicit(new JsonObject().put("message", message).put("requestedSchema", schema))
        .map(result -> ToolResult.text("Elicitation completed: " + result));
  }

  private Future<JsonObject> read(JsonObject resource) {
    String uri = resource.getString("uri");
    JsonObject content = offered.getJsonObject("contents").getJsonObject(uri).copy();
    return contents(content.put("uri", uri).put("mimeType", resource.getString("mimeType")));
  }

  private static Future<JsonObject> fill(Read read) {
    JsonObject data =
        new JsonObject()
            .put("id", read.variables().get("id"))
            .put("templateTest", true)
            .put("data", "Data for ID: " + read.variables().get("id"));
    return contents(
        new JsonObject()
            .put("uri", read.uri())
            .put("mimeType", "application/json")
            .put("text", data.encode()));
  }

  private static Future<JsonObject> contents(JsonObject content) {
    return Future.succeededFuture(new JsonObject().put("contents", new JsonArray().add(content)));
  }

  private Future<JsonObject> fill(String prompt, Get get) {
    String messages = offered.getJsonObject("messages").getJsonArray(prompt).encode();
    for (Map.Entry<String, String> argument : get.arguments().entrySet()) {
      messages = messages.replace("{" + argument.getKey() + "}", argument.getValue());
    }
    return Future.succeededFuture(new JsonObject().put("messages", new JsonArray(messages)));
  }

  private Future<List<String>> complete(Completion completion) {
    return Future.succeededFuture(
        offered.getJsonArray("completions").stream()
            .map(String.class::cast)
            .filter(candidate -> candidate.startsWith(completion.value()))
            .toList());
  }

  private static Future<?> pause(long millis) {
    return Vertx.currentContext().owner().timer(millis);
  }
}
