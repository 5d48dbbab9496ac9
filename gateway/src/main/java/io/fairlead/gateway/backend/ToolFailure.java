package io.fairlead.gateway.backend;

/** A tool failed in a way that the client's model may read about: an expected event. */
public final class ToolFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what happened and what to do, shown to the client as it is
   */
  public ToolFailure(String message) {
    super(message, null, false, false);
  }
}
