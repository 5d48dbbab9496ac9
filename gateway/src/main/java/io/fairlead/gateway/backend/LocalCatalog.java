package io.fairlead.gateway.backend;

import io.fairlead.wire.Revision;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a {@link LocalBackend} offers at the moment, in the order of registration.
 *
 * <p>Thread: owner loop. Owner: {@link LocalBackend}.
 */
final class LocalCatalog {

  /** One thing on offer, and the code behind it. */
  record Offer<H>(Definition definition, H handler) {}

  /** A template, ready to be matched. */
  record Template(Definition definition, UriTemplate template, ResourceHandler handler) {}

  /** Who reads a URI, and with which variables. */
  record Reader(ResourceHandler handler, Map<String, String> variables) {}

  private final String name;
  private final Map<String, Offer<ToolHandler>> tools = new LinkedHashMap<>();
  private final Map<String, Offer<ResourceHandler>> resources = new LinkedHashMap<>();
  private final Map<String, Template> templates = new LinkedHashMap<>();
  private final Map<String, Offer<PromptHandler>> prompts = new LinkedHashMap<>();
  private Optional<CompletionHandler> completion = Optional.empty();
  private String version = "0";
  private String instructions = "";

  LocalCatalog(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  void version(String text) {
    version = text;
  }

  void instructions(String text) {
    instructions = text;
  }

  void tool(Definition definition, ToolHandler handler) {
    tools.put(definition.key(), new Offer<>(definition, handler));
  }

  boolean removeTool(String tool) {
    return tools.remove(tool) != null;
  }

  void resource(Definition definition, ResourceHandler handler) {
    resources.put(definition.key(), new Offer<>(definition, handler));
  }

  void template(Definition definition, ResourceHandler handler) {
    UriTemplate template = new UriTemplate(definition.key());
    templates.put(definition.key(), new Template(definition, template, handler));
  }

  void prompt(Definition definition, PromptHandler handler) {
    prompts.put(definition.key(), new Offer<>(definition, handler));
  }

  void completion(CompletionHandler handler) {
    completion = Optional.of(handler);
  }

  Optional<ToolHandler> findTool(String tool) {
    return Optional.ofNullable(tools.get(tool)).map(Offer::handler);
  }

  Optional<Offer<PromptHandler>> findPrompt(String prompt) {
    return Optional.ofNullable(prompts.get(prompt));
  }

  Optional<CompletionHandler> findCompletion() {
    return completion;
  }

  /** Who reads this URI: a plain resource before a template, templates in their order. */
  Optional<Reader> findReader(String uri) {
    Offer<ResourceHandler> plain = resources.get(uri);
    if (plain != null) {
      return Optional.of(new Reader(plain.handler(), Map.of()));
    }
    for (Template template : templates.values()) {
      Optional<Map<String, String>> variables = template.template().match(uri);
      if (variables.isPresent()) {
        return Optional.of(new Reader(template.handler(), variables.get()));
      }
    }
    return Optional.empty();
  }

  String listTools() {
    return list("tools", tools.values().stream().map(Offer::definition).toList());
  }

  String listResources() {
    return list("resources", resources.values().stream().map(Offer::definition).toList());
  }

  String listTemplates() {
    return list(
        "resourceTemplates", templates.values().stream().map(Template::definition).toList());
  }

  String listPrompts() {
    return list("prompts", prompts.values().stream().map(Offer::definition).toList());
  }

  private static String list(String member, List<Definition> definitions) {
    return definitions.stream()
        .map(Definition::json)
        .collect(Collectors.joining(",", "{\"" + member + "\":[", "]}"));
  }

  /** The {@code InitializeResult} for a client that asks for {@code requested}. */
  String initializeResult(String requested) {
    JsonObject capabilities = new JsonObject().put("logging", new JsonObject());
    if (!tools.isEmpty()) {
      capabilities.put("tools", listChanged());
    }
    if (!prompts.isEmpty()) {
      capabilities.put("prompts", listChanged());
    }
    if (!resources.isEmpty() || !templates.isEmpty()) {
      capabilities.put("resources", listChanged().put("subscribe", true));
    }
    completion.ifPresent(handler -> capabilities.put("completions", new JsonObject()));
    JsonObject result =
        new JsonObject()
            .put("protocolVersion", Revision.negotiate(requested).text())
            .put("capabilities", capabilities)
            .put("serverInfo", new JsonObject().put("name", name).put("version", version));
    return (instructions.isEmpty() ? result : result.put("instructions", instructions)).encode();
  }

  private static JsonObject listChanged() {
    return new JsonObject().put("listChanged", true);
  }
}
