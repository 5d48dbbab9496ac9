package io.fairlead.gateway.backend;

import io.fairlead.gateway.auth.Principal;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/**
 * Completes arguments of prompts and variables of resource templates of a {@link LocalBackend}.
 *
 * <p>Thread: called on the owner loop; must not block.
 */
@FunctionalInterface
public interface CompletionHandler {

  /**
   * What is to be completed.
   *
   * @param reference the prompt's name, or the template's URI
   * @param argument the argument's name
   * @param value what was typed so far
   * @param chosen the values of other arguments, by name
   * @param principal who asks
   */
  record Completion(
      String reference,
      String argument,
      String value,
      Map<String, String> chosen,
      Principal principal) {}

  /** Candidates, best first; those after the 100th are not sent. On any thread. */
  Future<List<String>> complete(Completion completion);
}
