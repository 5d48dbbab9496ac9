package io.fairlead.client;

/** A handshake that did not succeed; an expected event, so without a stack. */
public final class LinkFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String reason;
  private final boolean refused;

  LinkFailure(String reason, boolean refused, String message) {
    super(message, null, false, false);
    this.reason = reason;
    this.refused = refused;
  }

  static LinkFailure unavailable(String message) {
    return new LinkFailure("backend_unavailable", false, message);
  }

  static LinkFailure refused(String message) {
    return new LinkFailure("backend_unavailable", true, message);
  }

  static LinkFailure closed() {
    return new LinkFailure("backend_lost", false, "The link to the backend is closed.");
  }

  /** One of the contract's {@code data.reason} values. */
  public String reason() {
    return reason;
  }

  /** Whether the server itself refused, so that trying again is of no use. */
  public boolean isRefusal() {
    return refused;
  }
}
