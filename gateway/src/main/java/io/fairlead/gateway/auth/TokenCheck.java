package io.fairlead.gateway.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.fairlead.gateway.config.JwtConfig;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks signature, type, issuer and times of tokens against one set of keys (RFC 8725). The
 * audience is not checked here: which one is right depends on the request.
 *
 * <p>Thread: any; immutable.
 */
final class TokenCheck {
  private static final Set<String> REQUIRED_CLAIMS = Set.of("iss", "sub", "aud", "exp");

  private final JWKSet keys;
  private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

  TokenCheck(JwtConfig config, JWKSet keys) {
    this.keys = keys;
    processor.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT,
            new JOSEObjectType("at+jwt"),
            new JOSEObjectType("application/at+jwt"),
            null));
    processor.setJWSKeySelector(
        new JWSVerificationKeySelector<>(
            config.algorithms().stream().map(JWSAlgorithm::parse).collect(Collectors.toSet()),
            new ImmutableJWKSet<>(keys)));
    DefaultJWTClaimsVerifier<SecurityContext> claims =
        new DefaultJWTClaimsVerifier<>(
            new JWTClaimsSet.Builder().issuer(config.issuer()).build(), REQUIRED_CLAIMS);
    claims.setMaxClockSkew((int) config.leeway().toSeconds());
    processor.setJWTClaimsSetVerifier(claims);
  }

  /** Whether a token that names its key as {@code id} may find it here. */
  boolean knows(String id) {
    return keys.getKeys().stream().map(JWK::getKeyID).anyMatch(id::equals);
  }

  /**
   * The claims of a token that is valid.
   *
   * @throws BadJOSEException if it is not
   */
  TokenClaims check(SignedJWT token) throws BadJOSEException {
    if (token.getHeader().getCriticalParams() != null) {
      throw new BadJOSEException("no critical header parameter is understood");
    }
    try {
      return new TokenClaims(processor.process(token, null));
    } catch (JOSEException unusable) {
      throw new BadJOSEException("the signature cannot be checked", unusable);
    }
  }
}
