package io.fairlead.gateway.backend;

import io.fairlead.wire.Methods;
import io.fairlead.wire.RpcError;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the requests of one link to a {@link LocalBackend}.
 *
 * <p>Thread: owner loop. Owner: {@link LocalLink}.
 */
final class LocalMethods {
  private static final Logger LOG = LoggerFactory.getLogger(LocalMethods.class);
  private static final int MAX_COMPLETIONS = 100;

  private final LocalCatalog catalog;
  private final LocalLink link;

  LocalMethods(LocalCatalog catalog, LocalLink link) {
    this.catalog = catalog;
    this.link = link;
  }

  /**
   * The result as JSON text.
   *
   * @return completes on any thread; fails with an {@link RpcFailure}, or with whatever the
   *     application's code failed with
   */
  Future<String> answer(LocalCall call) {
    LocalParams params = call.params();
    return switch (call.method()) {
      case Methods.PING -> Future.succeededFuture("{}");
      case Methods.TOOLS_LIST -> Future.succeededFuture(catalog.listTools());
      case Methods.TOOLS_CALL -> callTool(params, call);
      case Methods.RESOURCES_LIST -> Future.succeededFuture(catalog.listResources());
      case Methods.TEMPLATES_LIST -> Future.succeededFuture(catalog.listTemplates());
      case Methods.RESOURCES_READ -> read(params, call);
      case Methods.RESOURCES_SUBSCRIBE -> subscribe(params.string("uri"));
      case Methods.RESOURCES_UNSUBSCRIBE -> {
        link.unsubscribe(params.string("uri"));
        yield Future.succeededFuture("{}");
      }
      case Methods.PROMPTS_LIST -> Future.succeededFuture(catalog.listPrompts());
      case Methods.PROMPTS_GET -> getPrompt(params, call);
      case Methods.COMPLETE -> complete(params, call);
      case Methods.SET_LEVEL -> setLevel(params.string("level"));
      default ->
          throw new RpcFailure(
              RpcError.of(
                  RpcError.METHOD_NOT_FOUND,
                  "method_not_found",
                  "Method not found: " + call.method()));
    };
  }

  private Future<String> callTool(LocalParams params, LocalCall call) {
    String name = params.string("name");
    ToolHandler handler =
        catalog.findTool(name).orElseThrow(() -> RpcFailure.invalidParams("Unknown tool: " + name));
    call.arguments(params.object("arguments").json());
    return attempt("tool=" + name, () -> handler.call(call))
        .map(JsonObject::encode)
        .recover(
            failure ->
                failure instanceof CallLost
                    ? Future.failedFuture(failure)
                    : Future.succeededFuture(toolFailed(name, failure).encode()));
  }

  private JsonObject toolFailed(String name, Throwable failure) {
    if (failure instanceof ToolFailure) {
      return ToolResult.failure(failure.getMessage());
    }
    LOG.error("backend={} tool={} failed", catalog.name(), name, failure);
    return ToolResult.failure("The tool failed. The log of the gateway says why.");
  }

  private Future<String> read(LocalParams params, LocalCall call) {
    String uri = params.string("uri");
    LocalCatalog.Reader reader = reader(uri);
    return attempt(
            "resource",
            () ->
                reader
                    .handler()
                    .read(new ResourceHandler.Read(uri, reader.variables(), call.principal())))
        .map(JsonObject::encode);
  }

  private LocalCatalog.Reader reader(String uri) {
    return catalog
        .findReader(uri)
        .orElseThrow(
            () ->
                new RpcFailure(
                    new RpcError(
                        RpcError.RESOURCE_NOT_FOUND, "Resource not found", Map.of("uri", uri))));
  }

  private Future<String> subscribe(String uri) {
    reader(uri);
    link.subscribe(uri);
    return Future.succeededFuture("{}");
  }

  private Future<String> getPrompt(LocalParams params, LocalCall call) {
    String name = params.string("name");
    LocalCatalog.Offer<PromptHandler> prompt =
        catalog
            .findPrompt(name)
            .orElseThrow(() -> RpcFailure.invalidParams("Unknown prompt: " + name));
    Map<String, String> arguments = params.object("arguments").strings();
    JsonArray declared = prompt.definition().parsed().getJsonArray("arguments", new JsonArray());
    for (int i = 0; i < declared.size(); i++) {
      JsonObject argument = declared.getJsonObject(i);
      String required = argument.getString("name");
      if (argument.getBoolean("required", false) && !arguments.containsKey(required)) {
        throw RpcFailure.invalidParams("prompt=" + name + " needs the argument " + required);
      }
    }
    return attempt(
            "prompt=" + name,
            () -> prompt.handler().get(new PromptHandler.Get(arguments, call.principal())))
        .map(JsonObject::encode);
  }

  private Future<String> complete(LocalParams params, LocalCall call) {
    LocalParams reference = params.object("ref");
    boolean prompt = reference.string("type").equals("ref/prompt");
    LocalParams argument = params.object("argument");
    CompletionHandler.Completion completion =
        new CompletionHandler.Completion(
            reference.string(prompt ? "name" : "uri"),
            argument.string("name"),
            argument.string("value"),
            params.object("context").object("arguments").strings(),
            call.principal());
    Optional<CompletionHandler> handler = catalog.findCompletion();
    return handler
        .map(found -> attempt("completion", () -> found.complete(completion)))
        .orElseGet(() -> Future.succeededFuture(List.of()))
        .map(LocalMethods::completionResult);
  }

  private static String completionResult(List<String> candidates) {
    int sent = Math.min(candidates.size(), MAX_COMPLETIONS);
    JsonObject completion =
        new JsonObject()
            .put("values", new JsonArray(candidates.subList(0, sent)))
            .put("total", candidates.size())
            .put("hasMore", sent < candidates.size());
    return new JsonObject().put("completion", completion).encode();
  }

  private Future<String> setLevel(String level) {
    if (!link.setLevel(level)) {
      throw RpcFailure.invalidParams("params.level must be one of " + LocalLink.LEVELS);
    }
    return Future.succeededFuture("{}");
  }

  /** What the application's code returns; what it throws is a failure as well. */
  private <T> Future<T> attempt(String what, Supplier<Future<T>> code) {
    try {
      return Objects.requireNonNull(link.watch().run(what, code), "the handler returned null");
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }
}
