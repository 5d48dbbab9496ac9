package io.fairlead.gateway.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.PromptReference;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What {@code journey.mjs} does, with the Java SDK's client; it has no way to cancel a call.
 *
 * <p>Thread: the test's.
 */
final class JavaJourney {
  private final SdkClient client;

  private JavaJourney(SdkClient client) {
    this.client = client;
  }

  /**
   * @param prefixes of the names of each server-everything behind the URL
   * @param root a directory that servers may be told of
   */
  static void run(String url, List<String> prefixes, Path root) {
    run(SdkClient.connect(url, root), prefixes);
  }

  /** With a client that is connected, and that it closes. */
  static void run(SdkClient connected, List<String> prefixes) {
    try (SdkClient client = connected) {
      JavaJourney journey = new JavaJourney(client);
      client.sdk().ping();
      List<String> names = client.sdk().listTools().tools().stream().map(Tool::name).toList();
      for (String prefix : prefixes) {
        assertTrue(names.contains(prefix + "echo"), names::toString);
        journey.callsTools(prefix);
        journey.answersQuestions(prefix);
        journey.usesPrompts(prefix);
      }
      journey.readsResources(prefixes.size());
    }
  }

  private void callsTools(String prefix) {
    assertEquals("Echo: hello", client.text(prefix + "echo", Map.of("message", "hello")));
    String slow = prefix + "trigger-long-running-operation";
    client.call(slow, Map.of("duration", 0.3, "steps", 3));
    assertEquals(List.of(slow + ":1", slow + ":2", slow + ":3"), client.progressOf(slow, 3));
  }

  private void answersQuestions(String prefix) {
    String elicited = client.text(prefix + "trigger-elicitation-request", Map.of());
    assertTrue(elicited.contains("Ada"), elicited);
    String sampled = client.text(prefix + "trigger-sampling-request", Map.of("prompt", "ahoy"));
    assertTrue(sampled.contains("I heard: "), sampled);
    String roots = client.text(prefix + "get-roots-list", Map.of());
    assertTrue(roots.contains("journey"), roots);
  }

  private void usesPrompts(String prefix) {
    var messages =
        client
            .sdk()
            .getPrompt(
                GetPromptRequest.builder(prefix + "args-prompt")
                    .arguments(Map.of("city", "Hamburg"))
                    .build())
            .messages();
    assertTrue(((TextContent) messages.get(0).content()).text().contains("Hamburg"));
    CompleteRequest request =
        CompleteRequest.builder(
                PromptReference.builder(prefix + "completable-prompt").build(),
                new CompleteRequest.CompleteArgument("department", "S"))
            .build();
    assertEquals(
        List.of("Sales", "Support"),
        client.sdk().completeCompletion(request).completion().values());
  }

  private void readsResources(int backends) {
    List<Resource> found =
        client.sdk().listResources().resources().stream()
            .filter(resource -> resource.uri().contains("startup.md"))
            .toList();
    assertEquals(backends, found.size());
    for (Resource resource : found) {
      var request = ReadResourceRequest.builder(resource.uri()).build();
      var contents = (TextResourceContents) client.sdk().readResource(request).contents().get(0);
      assertTrue(contents.text().contains("Startup"));
    }
  }
}
