package io.fairlead.client;

/** A message from the server above the bound; an expected event, so without a stack. */
final class TooLarge extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TooLarge(int maxMessage) {
    super("a message from the server is larger than max-message=" + maxMessage, null, false, false);
  }
}
