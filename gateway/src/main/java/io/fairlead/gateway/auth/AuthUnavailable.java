package io.fairlead.gateway.auth;

/**
 * Tokens cannot be checked, so the gateway must not start: an expected event, so without a stack.
 */
public final class AuthUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  AuthUnavailable(String message) {
    super(message, null, false, false);
  }
}
