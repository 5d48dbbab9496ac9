package io.fairlead.gateway.backend;

import io.fairlead.client.Outcome;
import io.fairlead.wire.Envelope;
import java.time.Duration;

/** Receives what a backend says about one call. Every method is called on the owner loop. */
public interface CallListener {

  /**
   * A message that belongs to the call: progress (with the client's own token), logging, or a
   * request from the backend (with the backend's id).
   */
  void message(Envelope message);

  /**
   * The link does not hold the request's bytes any more. May be called more than once, and need not
   * be called before a terminal call.
   */
  default void settled() {}

  /** Terminal: the answer, with the client's own id. */
  void answer(Envelope response);

  /** Terminal: no answer can come. */
  void lost(Outcome outcome);

  /**
   * The backend ended its own connection for this call and asked to be polled (SEP-1699). The call
   * goes on.
   */
  default void polled(Duration retry) {}
}
