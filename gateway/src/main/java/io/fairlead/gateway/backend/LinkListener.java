package io.fairlead.gateway.backend;

import io.fairlead.wire.Envelope;

/** Receives what a backend says outside of any call. Every method is called on the owner loop. */
public interface LinkListener {

  /** A notification or a request (with the backend's id) that no call could be found for. */
  void message(Envelope message);

  /**
   * The backend had forgotten the conversation, and it was begun anew: what was set in it has to be
   * set again.
   */
  default void renewed() {}

  /**
   * The link is gone for good (child exited, connection lost and not to be healed); its calls have
   * been told before. Terminal; not called after {@link Link#close()}.
   */
  void closed(String reason);
}
