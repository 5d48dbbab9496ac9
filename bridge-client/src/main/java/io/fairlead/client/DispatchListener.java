package io.fairlead.client;

import io.fairlead.wire.Envelope;
import java.time.Duration;

/**
 * Receives what a server says about one call. Every method is called on the owner loop, none before
 * {@link HttpLink#call} has returned, and none after a terminal one or after a cancel.
 */
public interface DispatchListener {
  /** A notification or a request of the server on the call's stream. */
  void message(Envelope message);

  /**
   * The request cannot be sent again, so that its bytes are not held any more. May be called more
   * than once, and not at all before a terminal call.
   */
  default void settled() {}

  /** Terminal: the answer. */
  void answer(Envelope response);

  /** Terminal: no answer can come. */
  void lost(Outcome outcome);

  /** The server ended its connection politely and will be asked again after {@code retry}. */
  default void polled(Duration retry) {}
}
