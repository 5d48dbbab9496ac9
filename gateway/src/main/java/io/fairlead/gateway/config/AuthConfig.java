package io.fairlead.gateway.config;

/**
 * Who may ask.
 *
 * @param mode how callers are authenticated
 * @param allowAnonymous whether mode none may be bound to an address that is not loopback
 */
public record AuthConfig(Mode mode, boolean allowAnonymous) {

  /** How callers are authenticated. */
  public enum Mode {
    NONE
  }
}
