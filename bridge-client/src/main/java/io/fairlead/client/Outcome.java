package io.fairlead.client;

import io.fairlead.wire.Json;
import io.fairlead.wire.Methods;
import io.fairlead.wire.RpcError;
import io.fairlead.wire.RpcId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of a call that gets no answer from who ran it, if anybody did. Said to the client,
 * never hidden, never retried.
 *
 * @param state what is known
 * @param reason one of the contract's {@code data.reason} values
 * @param text what happened and what to do, for a model to read; never empty
 */
public record Outcome(State state, String reason, String text) {

  /** What is known of the call. */
  public enum State {
    /** It may or may not have run. */
    UNKNOWN,
    /** It is certain that it did not run. */
    NOT_DISPATCHED,
    /** It ran and answered, but its result is no longer held. */
    COMPLETED_RESULT_EVICTED
  }

  /** {@code what} happened, a sentence, and nobody knows whether the call ran. */
  public static Outcome unknown(String reason, String what) {
    String advice = " The action may or may not have happened. Check before trying again.";
    return new Outcome(State.UNKNOWN, reason, what + advice);
  }

  /** {@code what} happened, a sentence, before the call was sent. */
  public static Outcome notDispatched(String reason, String what) {
    return new Outcome(
        State.NOT_DISPATCHED, reason, what + " The call was not sent: it is safe to try again.");
  }

  /** The call ran and answered, and nobody holds its result any more. */
  public static Outcome evicted() {
    return new Outcome(
        State.COMPLETED_RESULT_EVICTED,
        "evicted",
        "The call has completed, but its result is no longer held. Do not repeat it blindly: check"
            + " what it did.");
  }

  /**
   * The JSON-RPC response that says so: for {@code tools/call} a result with {@code isError: true}
   * and {@code _meta."io.fairlead/outcome"}, for other methods an error with the same object as
   * {@code data}.
   *
   * @param instance the run of the process that says so
   */
  public byte[] toMessage(RpcId id, String method, String instance) {
    Map<String, Object> outcome = new LinkedHashMap<>();
    outcome.put("state", state.name().toLowerCase(Locale.ROOT));
    outcome.put("reason", reason);
    outcome.put("retryable", state == State.NOT_DISPATCHED);
    outcome.put("instance", instance);
    if (!method.equals(Methods.TOOLS_CALL)) {
      return new RpcError(RpcError.INTERNAL, text, outcome).toMessage(Optional.of(id));
    }
    Map<String, Object> result = new LinkedHashMap<>();
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("type", "text");
    content.put("text", text);
    result.put("content", List.of(content));
    result.put("isError", true);
    result.put("_meta", Map.of("io.fairlead/outcome", outcome));
    return Json.result(id, result);
  }
}
