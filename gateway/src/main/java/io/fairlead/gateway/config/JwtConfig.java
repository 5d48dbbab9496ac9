package io.fairlead.gateway.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Which tokens are accepted in mode jwt; checked by {@link AuthConfig}, which knows the mode.
 *
 * @param issuer the authorization server, as in the claim {@code iss}
 * @param audience accepted values of the claim {@code aud}; empty: the protected resource itself
 * @param jwksUrl where the issuer's keys are fetched
 * @param jwksFile where they are read instead
 * @param algorithms signatures that are accepted; asymmetric ones only
 * @param requiredScopes scopes that every token must have
 * @param leeway difference between clocks that is tolerated
 */
public record JwtConfig(
    String issuer,
    List<String> audience,
    Optional<String> jwksUrl,
    Optional<String> jwksFile,
    List<String> algorithms,
    List<String> requiredScopes,
    Duration leeway) {

  /** When the mode is another one. */
  public static final JwtConfig NONE =
      new JwtConfig(
          "", List.of(), Optional.empty(), Optional.empty(), List.of(), List.of(), Duration.ZERO);

  public JwtConfig {
    audience = List.copyOf(audience);
    algorithms = List.copyOf(algorithms);
    requiredScopes = List.copyOf(requiredScopes);
  }

  boolean isConfigured() {
    return !issuer.isEmpty() || jwksUrl.isPresent() || jwksFile.isPresent();
  }
}
