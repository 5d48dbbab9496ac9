package io.fairlead.gateway.http;

/**
 * The client left before its request was complete: nobody is there to be answered, and nothing is
 * wrong with the gateway. An expected event, so without a stack.
 */
public final class ClientGone extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ClientGone() {
    super("the client closed the connection before its request was complete", null, false, false);
  }
}
