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
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks signature, type, issuer and times of tokens against one set of keys (RFC 8725). The
 * audience is not checked here: which one is right depends on the request.
 *
 * <p>Thread: any; immutable.
 */
final class TokenCheck {
  private static final Set<String> TIMES = Set.of("exp", "nbf", "iat");

  /** The last second of the year 9999; above it the library's arithmetic wraps around. */
  private static final double LAST_TIME = 253_402_300_799.0;

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
    if (!hasSaneTimes(token.getPayload().toJSONObject())) {
      throw new BadJOSEException("a time is out of all range");
    }
    try {
      return new TokenClaims(processor.process(token, null));
    } catch (JOSEException unusable) {
      throw new BadJOSEException("the signature cannot be checked", unusable);
    }
  }

  /** Whether each number that stands for a time is one; what is no number the library refuses. */
  private static boolean hasSaneTimes(Map<String, Object> claims) {
    return claims == null
        || TIMES.stream()
            .map(claims::get)
            .filter(Number.class::isInstance)
            .mapToDouble(time -> ((Number) time).doubleValue())
            .allMatch(seconds -> seconds >= 0 && seconds < LAST_TIME + 1);
  }
}
