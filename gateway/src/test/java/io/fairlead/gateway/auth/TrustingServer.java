package io.fairlead.gateway.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jwt.SignedJWT;
import io.fairlead.gateway.config.JwtConfig;
import io.vertx.core.MultiMap;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A server that trusts one issuer, asked about the header Authorization. */
final class TrustingServer {
  final TokenIssuer issuer = issuer();
  private final TokenCheck check =
      new TokenCheck(
          new JwtConfig(
              TokenIssuer.ISSUER,
              List.of(),
              Optional.empty(),
              Optional.empty(),
              List.of("RS256"),
              List.of(),
              Duration.ZERO),
          new JWKSet(issuer.key().toPublicJWK()));

  /** What a valid token in it says; empty if there is none. */
  Optional<TokenClaims> claims(String authorization) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap().add("Authorization", authorization);
    try {
      Optional<String> token = Credential.bearer(headers).token();
      return token.isPresent()
          ? Optional.of(check.check(SignedJWT.parse(token.get())))
          : Optional.empty();
    } catch (ParseException | BadJOSEException | RuntimeException refused) {
      return Optional.empty();
    }
  }

  private static TokenIssuer issuer() {
    try {
      return TokenIssuer.create("k1");
    } catch (JOSEException failure) {
      throw new AssertionError(failure);
    }
  }
}
