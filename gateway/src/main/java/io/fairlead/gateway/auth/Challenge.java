package io.fairlead.gateway.auth;

import io.fairlead.gateway.auth.Authentication.Denied;
import java.util.List;

/**
 * Writes the WWW-Authenticate header (RFC 6750, section 3; RFC 9728, section 5.1). Nothing that a
 * client sent goes into it.
 *
 * <p>Thread: any; immutable.
 *
 * @param target parameters that say where and for what to ask; may be empty
 */
record Challenge(String target) {
  private static final String INVALID_TOKEN = "invalid_token";

  /** With no authorization server to point at. */
  static Challenge plain() {
    return new Challenge("realm=\"fairlead\"");
  }

  /**
   * @param metadataUrl absolute URL of the resource's metadata
   * @param scopes what to ask for
   */
  static Challenge of(String metadataUrl, List<String> scopes) {
    String scope = scopes.isEmpty() ? "" : ", scope=\"" + String.join(" ", scopes) + "\"";
    return new Challenge("resource_metadata=\"" + metadataUrl + "\"" + scope);
  }

  /** No credentials were sent: no error, so that a client starts to authorize. */
  Denied missing() {
    return new Denied(false, false, "Bearer " + target);
  }

  Denied malformed() {
    return error("invalid_request", "Send exactly one token, as Authorization: Bearer <token>.");
  }

  Denied invalid() {
    return error(INVALID_TOKEN, "The token is not valid for this server.");
  }

  Denied expired() {
    return new Denied(false, false, text(INVALID_TOKEN, "The token has expired."));
  }

  /** Valid credentials; {@link #target} names all scopes that are needed. */
  Denied insufficientScope() {
    String description = "The token lacks a scope that is needed; ask for all of them.";
    return new Denied(false, true, text("insufficient_scope", description));
  }

  private Denied error(String code, String description) {
    return new Denied(true, false, text(code, description));
  }

  private String text(String code, String description) {
    return "Bearer error=\"%s\", error_description=\"%s\", %s".formatted(code, description, target);
  }
}
