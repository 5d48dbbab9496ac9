package io.fairlead.client;

/** A connection that was lost before it answered; an expected event, so without a stack. */
final class Unanswered extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Unanswered() {
    super("the connection was lost before it answered", null, false, false);
  }
}
