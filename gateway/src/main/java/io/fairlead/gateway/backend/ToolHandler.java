package io.fairlead.gateway.backend;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/**
 * The code behind one tool of a {@link LocalBackend}.
 *
 * <p>Thread: called on the owner loop, so it must not block; long work belongs into {@code
 * executeBlocking} or behind another future.
 */
@FunctionalInterface
public interface ToolHandler {

  /**
   * Runs the tool once.
   *
   * @param call the arguments, who asks, and what can be said while the tool runs
   * @return a {@code CallToolResult} ({@link ToolResult} builds the usual ones), on any thread. If
   *     it fails with a {@link ToolFailure}, the client sees its text; any other failure is logged,
   *     and the client is told only that the tool failed. A future that never completes leaves the
   *     call open until it is cancelled.
   */
  Future<JsonObject> call(ToolCall call);
}
