package io.fairlead.gateway.auth;

/**
 * Who asks: issuer, subject and client of a token, or the id of an API key, or anonymous; never the
 * bytes of a token. Two principals are the same if all three parts are.
 *
 * @param issuer a token's issuer, {@code api-key}, or empty for anonymous
 * @param subject a token's subject or the API key's id, or empty for anonymous
 * @param client a token's client, or empty
 */
public record Principal(String issuer, String subject, String client) {
  public static final Principal ANONYMOUS = new Principal("", "", "");

  public boolean isAnonymous() {
    return equals(ANONYMOUS);
  }
}
