package io.fairlead.gateway.backend;

/** A backend that could not be opened: an expected event, so without a stack. */
public final class BackendFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String reason;

  /**
   * @param reason one of the contract's {@code data.reason} values
   * @param message what happened, the value, and the remedy; no secret, no URL's credentials
   */
  public BackendFailure(String reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  public String reason() {
    return reason;
  }
}
