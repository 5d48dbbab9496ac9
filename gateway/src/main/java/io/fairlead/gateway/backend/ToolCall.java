package io.fairlead.gateway.backend;

import io.fairlead.gateway.auth.Principal;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.OptionalDouble;

/**
 * One call of a tool of a {@link LocalBackend}: what was asked, by whom, and what the tool may say
 * while it runs. After the call has ended or was cancelled, nothing that it says is sent.
 *
 * <p>Thread: any, but for {@link #isCancelled}; callbacks and futures come on the owner loop.
 */
public interface ToolCall {

  /**
   * The arguments, {@code {}} if the client sent none. They are an object; nothing else of the
   * tool's schema has been checked. The gateway keeps their bytes alone while the tool runs, so
   * they may be read anew with each call: hold on to the object if you need it for longer, and copy
   * it before you change it.
   */
  JsonObject arguments();

  /** Who makes this call, which is not necessarily who opened the session. */
  Principal principal();

  /**
   * Sends progress, if the client asked for it.
   *
   * @throws IllegalArgumentException if a number is infinite or none
   */
  void progress(double progress, OptionalDouble total, String message);

  /** Sends progress without total and text. */
  default void progress(double progress) {
    progress(progress, OptionalDouble.empty(), "");
  }

  /**
   * Sends a log message to the client, unless it asked for higher levels only.
   *
   * @param level debug, info, notice, warning, error, critical, alert or emergency
   * @param logger the name of who says it; empty for none
   * @param data any JSON value
   */
  void log(String level, String logger, Object data);

  /**
   * Asks the user ({@code elicitation/create}).
   *
   * @return the result; fails with a {@link ToolFailure} if the client cannot be asked, answers
   *     with an error, or the call ends first
   */
  Future<JsonObject> elicit(JsonObject params);

  /** Asks the client's model ({@code sampling/createMessage}); fails as {@link #elicit} does. */
  Future<JsonObject> sample(JsonObject params);

  /** Asks for the client's roots ({@code roots/list}); fails as {@link #elicit} does. */
  Future<JsonObject> listRoots();

  /** Runs {@code action} when the call is cancelled; at once if it is already. */
  void onCancel(Runnable action);

  /** Whether nobody waits for the result any more. To be asked on the owner loop. */
  boolean isCancelled();

  /**
   * Closes the client's connection for this call and asks it to come back after {@code retry}
   * (SEP-1699). The call goes on, and its result waits for the client.
   */
  void closeClientConnection(Duration retry);
}
