package io.fairlead.gateway.backend;

import io.fairlead.gateway.observe.Metrics;
import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.Methods;
import io.fairlead.wire.WireLimits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Tools, resources and prompts of the embedding application, offered without a process or a socket
 * between. What it offers may change while the gateway runs; connected clients are told. What is
 * registered a second time under the same name takes the place of the first.
 *
 * <p>Thread: {@link #open} and {@link #close} on the owner loop, all else on any. Owner: the
 * application that made it; it serves one gateway, once.
 */
public final class LocalBackend implements Backend {
  private final String name;

  /** Known when the first link is opened; what is registered before waits for it. */
  private final Promise<Owner> owner = Promise.promise();

  private final LocalCatalog catalog;
  private final EnvelopeReader reader = new EnvelopeReader(WireLimits.WIDE);
  private final Set<LocalLink> links = new LinkedHashSet<>();
  private LoopWatch watch;
  private boolean closed;

  /** The loop of the gateway that it serves. */
  private record Owner(Context loop, Thread thread) {}

  private LocalBackend(String name) {
    this.name = name;
    observe(Metrics.none());
    this.catalog = new LocalCatalog(name);
  }

  /** A backend with nothing in it yet. */
  public static LocalBackend named(String name) {
    return new LocalBackend(name);
  }

  /** The version that clients see; {@code 0} if not set. */
  public LocalBackend version(String version) {
    return change(offered -> offered.version(version));
  }

  /** What clients are told about the use of the whole, when they connect. */
  public LocalBackend instructions(String text) {
    return change(offered -> offered.instructions(text));
  }

  /** Offers a tool. */
  public LocalBackend tool(
      String toolName, String description, JsonObject inputSchema, ToolHandler handler) {
    return tool(
        new JsonObject()
            .put("name", toolName)
            .put("description", description)
            .put("inputSchema", inputSchema)
            .encode(),
        handler);
  }

  /**
   * Offers a tool with its whole definition, which clients get byte by byte as it is given.
   *
   * @param definition a {@code Tool} as JSON text
   */
  public LocalBackend tool(String definition, ToolHandler handler) {
    Definition parsed = Definition.of(definition, "name");
    return change(
        offered -> {
          offered.tool(parsed, handler);
          tellAll(Methods.TOOLS_CHANGED);
        });
  }

  /** Offers a tool no longer; calls that run are not touched. */
  public LocalBackend removeTool(String toolName) {
    return change(
        offered -> {
          if (offered.removeTool(toolName)) {
            tellAll(Methods.TOOLS_CHANGED);
          }
        });
  }

  /** Offers a text that does not change. */
  public LocalBackend resource(String uri, String title, String mimeType, String text) {
    JsonObject content = content(uri, mimeType).put("text", text);
    return resource(plain("uri", uri, title, mimeType), read -> contents(content));
  }

  /** Offers bytes that do not change. */
  public LocalBackend resource(String uri, String title, String mimeType, Buffer bytes) {
    JsonObject content =
        content(uri, mimeType).put("blob", Base64.getEncoder().encodeToString(bytes.getBytes()));
    return resource(plain("uri", uri, title, mimeType), read -> contents(content));
  }

  /**
   * Offers a resource with its whole definition.
   *
   * @param definition a {@code Resource} as JSON text
   */
  public LocalBackend resource(String definition, ResourceHandler handler) {
    Definition parsed = Definition.of(definition, "uri");
    return change(
        offered -> {
          offered.resource(parsed, handler);
          tellAll(Methods.RESOURCES_CHANGED);
        });
  }

  /**
   * Offers all resources whose URI fits.
   *
   * @param uriTemplate {@code {x}} stands for a part without slash, {@code {+x}} for anything
   */
  public LocalBackend template(
      String uriTemplate, String title, String mimeType, ResourceHandler handler) {
    return template(plain("uriTemplate", uriTemplate, title, mimeType), handler);
  }

  /**
   * Offers all resources whose URI fits.
   *
   * @param definition a {@code ResourceTemplate} as JSON text
   */
  public LocalBackend template(String definition, ResourceHandler handler) {
    Definition parsed = Definition.of(definition, "uriTemplate");
    return change(
        offered -> {
          offered.template(parsed, handler);
          tellAll(Methods.RESOURCES_CHANGED);
        });
  }

  /** Offers a prompt. */
  public LocalBackend prompt(
      String promptName,
      String description,
      List<PromptHandler.Argument> arguments,
      PromptHandler handler) {
    JsonArray list = new JsonArray();
    for (PromptHandler.Argument argument : arguments) {
      list.add(
          new JsonObject()
              .put("name", argument.name())
              .put("description", argument.description())
              .put("required", argument.required()));
    }
    return prompt(
        new JsonObject()
            .put("name", promptName)
            .put("description", description)
            .put("arguments", list)
            .encode(),
        handler);
  }

  /**
   * Offers a prompt with its whole definition.
   *
   * @param definition a {@code Prompt} as JSON text
   */
  public LocalBackend prompt(String definition, PromptHandler handler) {
    Definition parsed = Definition.of(definition, "name");
    return change(
        offered -> {
          offered.prompt(parsed, handler);
          tellAll(Methods.PROMPTS_CHANGED);
        });
  }

  /** Completes arguments of prompts and variables of templates. */
  public LocalBackend completion(CompletionHandler handler) {
    return change(offered -> offered.completion(handler));
  }

  /** Tells those who subscribed to it that a resource changed. */
  public LocalBackend resourceUpdated(String uri) {
    return change(offered -> List.copyOf(links).forEach(link -> link.resourceUpdated(uri)));
  }

  private LocalBackend change(Consumer<LocalCatalog> step) {
    owner.future().onSuccess(known -> known.loop().runOnContext(ignored -> step.accept(catalog)));
    return this;
  }

  private void tellAll(String method) {
    List.copyOf(links).forEach(link -> link.changed(method));
  }

  private static String plain(String key, String uri, String title, String mimeType) {
    return new JsonObject().put(key, uri).put("name", title).put("mimeType", mimeType).encode();
  }

  private static JsonObject content(String uri, String mimeType) {
    return new JsonObject().put("uri", uri).put("mimeType", mimeType);
  }

  private static Future<JsonObject> contents(JsonObject content) {
    return Future.succeededFuture(new JsonObject().put("contents", new JsonArray().add(content)));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void observe(Metrics metrics) {
    watch = new LoopWatch(name, metrics, System::nanoTime);
  }

  @Override
  public Future<Link> open(LinkRequest request) {
    Context loop = Vertx.currentContext();
    owner.tryComplete(new Owner(loop, Thread.currentThread()));
    if (owner.future().result().thread() != Thread.currentThread()) {
      return refused(
          "backend_unavailable", "it serves another gateway; make a LocalBackend for each");
    }
    Promise<Link> opened = Promise.promise();
    // after what was registered before, which waits for its turn on the loop
    loop.runOnContext(ignored -> openNow(request, loop).onComplete(opened));
    return opened.future();
  }

  private Future<Link> openNow(LinkRequest request, Context loop) {
    if (closed) {
      return refused("backend_unavailable", "it was closed; open a new session");
    }
    try {
      LocalLink link = new LocalLink(catalog, reader, request, loop, watch, links::remove);
      links.add(link);
      return Future.succeededFuture(link);
    } catch (DecodeException | ClassCastException e) {
      return refused("malformed", "params of initialize must be an object with capabilities");
    }
  }

  private Future<Link> refused(String reason, String text) {
    return Future.failedFuture(new BackendFailure(reason, "backend=" + name + ": " + text));
  }

  @Override
  public Future<Void> close() {
    closed = true;
    List.copyOf(links).forEach(link -> link.end("it was closed"));
    return Future.succeededFuture();
  }
}
