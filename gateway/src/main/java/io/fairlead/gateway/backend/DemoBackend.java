package io.fairlead.gateway.backend;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * What an unconfigured gateway serves: a small tool server to try every feature with.
 *
 * <p>Thread: any; stateless, the backend that it makes has the state.
 */
public final class DemoBackend {
  private static final List<String> STYLES = List.of("formal", "friendly", "pirate", "poetic");
  private static final List<String> NAMES = List.of("Ada", "Alan", "Barbara", "Grace", "Linus");

  /** A picture of one green pixel. */
  private static final String PIXEL =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGPQW+AMAAIRARK0QUTlAAAAAElFTkSuQmCC";

  private DemoBackend() {}

  /** A new demo backend; its counters start at zero. */
  public static LocalBackend create() {
    LocalBackend demo =
        LocalBackend.named("demo")
            .version("1")
            .instructions(
                "A demonstration server. Try echo first; wait shows progress, count has a side"
                    + " effect, ask and sample talk back to the client.");
    DemoTools.register(demo);
    return demo.resource(
            "demo://text", "A text", "text/plain", "Fairlead keeps your lines from chafing.")
        .resource("demo://binary", "One green pixel", "image/png", Buffer.buffer(decoded(PIXEL)))
        .template(
            "demo://greeting/{name}", "A greeting for a name", "text/plain", DemoBackend::greeting)
        .prompt(
            "introduce",
            "Asks for an introduction of a person in some style",
            List.of(
                new PromptHandler.Argument("name", "Who is introduced", true),
                new PromptHandler.Argument("style", "One of " + STYLES, false)),
            DemoBackend::introduce)
        .completion(DemoBackend::complete);
  }

  private static byte[] decoded(String base64) {
    return Base64.getDecoder().decode(base64);
  }

  private static Future<JsonObject> greeting(ResourceHandler.Read read) {
    JsonObject content =
        new JsonObject()
            .put("uri", read.uri())
            .put("mimeType", "text/plain")
            .put("text", "Hello, " + read.variables().get("name") + "!");
    return Future.succeededFuture(new JsonObject().put("contents", new JsonArray().add(content)));
  }

  private static Future<JsonObject> introduce(PromptHandler.Get get) {
    Map<String, String> arguments = get.arguments();
    String text =
        String.format(
            "Please introduce %s in a %s style, in three sentences.",
            arguments.get("name"), arguments.getOrDefault("style", STYLES.get(1)));
    JsonObject message =
        new JsonObject()
            .put("role", "user")
            .put("content", new JsonObject().put("type", "text").put("text", text));
    return Future.succeededFuture(
        new JsonObject()
            .put("description", "An introduction")
            .put("messages", new JsonArray().add(message)));
  }

  private static Future<List<String>> complete(CompletionHandler.Completion completion) {
    List<String> candidates =
        switch (completion.argument()) {
          case "style" -> STYLES;
          case "name" -> NAMES;
          default -> List.of();
        };
    return Future.succeededFuture(
        candidates.stream()
            .filter(candidate -> startsWith(candidate, completion.value()))
            .toList());
  }

  private static boolean startsWith(String candidate, String typed) {
    return candidate.regionMatches(true, 0, typed, 0, typed.length());
  }
}
