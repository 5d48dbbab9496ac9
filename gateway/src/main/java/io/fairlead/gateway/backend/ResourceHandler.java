package io.fairlead.gateway.backend;

import io.fairlead.gateway.auth.Principal;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/**
 * Reads a resource of a {@link LocalBackend}.
 *
 * <p>Thread: called on the owner loop; must not block.
 */
@FunctionalInterface
public interface ResourceHandler {

  /**
   * What is read.
   *
   * @param uri the whole URI
   * @param variables what a template's variables stand for, decoded; empty for a plain resource
   * @param principal who asks
   */
  record Read(String uri, Map<String, String> variables, Principal principal) {}

  /**
   * A {@code ReadResourceResult}, on any thread; fails with a {@link ToolFailure} if the client may
   * know why.
   */
  Future<JsonObject> read(Read read);
}
