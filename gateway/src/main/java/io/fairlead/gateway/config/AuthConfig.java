package io.fairlead.gateway.config;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Who may ask.
 *
 * @param mode how callers are authenticated
 * @param allowAnonymous whether mode none may be bound to an address that is not loopback
 * @param apiKeys in mode api-key, the keys by their ids; the values are secrets
 * @param resource in mode jwt, the URL by which clients know the endpoint
 * @param jwt in mode jwt, which tokens are accepted
 */
public record AuthConfig(
    Mode mode,
    boolean allowAnonymous,
    Map<String, String> apiKeys,
    Optional<String> resource,
    JwtConfig jwt) {

  /** How callers are authenticated. */
  public enum Mode {
    NONE,
    API_KEY,
    JWT
  }

  public AuthConfig {
    apiKeys = Map.copyOf(apiKeys);
    Checks checks = new Checks();
    AuthChecks.mode(checks, mode, !apiKeys.isEmpty(), jwt.isConfigured());
    if (mode == Mode.API_KEY) {
      AuthChecks.apiKeys(checks, apiKeys);
    }
    if (mode == Mode.JWT) {
      AuthChecks.resource(checks, resource);
      AuthChecks.jwt(checks, jwt);
    }
    checks.done();
  }

  /** Nobody is authenticated. */
  public static AuthConfig none(boolean allowAnonymous) {
    return new AuthConfig(Mode.NONE, allowAnonymous, Map.of(), Optional.empty(), JwtConfig.NONE);
  }

  @Override
  public String toString() {
    return "AuthConfig[mode=%s, allowAnonymous=%s, apiKeys=%s, resource=%s, jwt=%s]"
        .formatted(mode, allowAnonymous, Masked.values(new TreeMap<>(apiKeys)), resource, jwt);
  }
}
