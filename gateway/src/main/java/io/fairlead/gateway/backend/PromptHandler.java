package io.fairlead.gateway.backend;

import io.fairlead.gateway.auth.Principal;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/**
 * Fills in a prompt of a {@link LocalBackend}.
 *
 * <p>Thread: called on the owner loop; must not block.
 */
@FunctionalInterface
public interface PromptHandler {

  /**
   * What is asked for; the required arguments are there.
   *
   * @param arguments by name
   * @param principal who asks
   */
  record Get(Map<String, String> arguments, Principal principal) {}

  /**
   * An argument of a prompt.
   *
   * @param name as the client sends it
   * @param description for people and models
   * @param required whether the prompt is refused without it
   */
  record Argument(String name, String description, boolean required) {}

  /**
   * A {@code GetPromptResult}, on any thread; fails with a {@link ToolFailure} if the client may
   * know why.
   */
  Future<JsonObject> get(Get get);
}
