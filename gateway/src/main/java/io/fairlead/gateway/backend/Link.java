package io.fairlead.gateway.backend;

import io.fairlead.gateway.auth.Principal;
import io.fairlead.wire.Envelope;
import io.vertx.core.Future;

/**
 * One conversation with a backend on behalf of one session, or shared. It gives requests its own
 * ids and progress tokens and maps them back, so callers see only their own.
 *
 * <p>Thread: owner loop. Owner: the session (or the catalog) that opened it.
 */
public interface Link {

  /** The backend's {@code InitializeResult}: a JSON object. */
  byte[] initializeResult();

  /**
   * Hands one request to the backend, at most once, whatever happens to it.
   *
   * @param request the client's request, with its own id and progress token, and the name as the
   *     backend knows it
   * @param asker the principal of this request
   * @param listener gets messages, then exactly one terminal call, unless the call is cancelled
   *     first; never called before this method has returned
   */
  Dispatched call(Envelope request, Principal asker, CallListener listener);

  /** Sends a notification as it is; a link that is down drops it. */
  void notify(byte[] notification);

  /** Sends the answer to a request that the backend sent: its id is the backend's. */
  void answer(byte[] response);

  /**
   * Ends the conversation: calls in flight are cancelled without a terminal call, the backend is
   * told (DELETE, end of input). Idempotent; completes on the owner loop, in bounded time.
   */
  Future<Void> close();

  /** A request that was handed to a link. */
  interface Dispatched {

    /**
     * Cancels it at the backend, under the id that the backend knows. No listener method is called
     * after this. Idempotent, and without effect after the terminal call.
     */
    void cancel(String reason);

    /** Asks the source of this call's messages to stop for now; what is under way still arrives. */
    default void pause() {}

    default void resume() {}
  }
}
