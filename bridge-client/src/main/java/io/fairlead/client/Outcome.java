package io.fairlead.client;

import io.fairlead.wire.RpcId;

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

  /**
   * The JSON-RPC response that says so: for {@code tools/call} a result with {@code isError: true}
   * and {@code _meta."io.fairlead/outcome"}, for other methods an error with the same object as
   * {@code data}.
   *
   * @param instance the run of the process that says so
   */
  public byte[] toMessage(RpcId id, String method, String instance) {
    throw new UnsupportedOperationException("stub");
  }
}
