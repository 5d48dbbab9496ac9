package io.fairlead.gateway.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jwt.SignedJWT;
import io.fairlead.gateway.config.JwtConfig;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NumericChars;
import net.jqwik.api.constraints.StringLength;

/** A token that was changed anywhere never makes its bearer somebody else. */
class TokenFuzzTest {
  private static final TokenIssuer ISSUER = issuer();
  private static final String TOKEN = ISSUER.token();
  private static final TokenCheck CHECK =
      new TokenCheck(
          new JwtConfig(
              TokenIssuer.ISSUER,
              List.of(),
              Optional.empty(),
              Optional.empty(),
              List.of("RS256"),
              List.of(),
              Duration.ZERO),
          new JWKSet(ISSUER.key().toPublicJWK()));

  @Property(tries = 1000)
  void changedTokenIsRefusedOrStillSaysTheSame(
      @ForAll @IntRange(max = 4000) int place,
      @ForAll @IntRange(max = 3) int removed,
      @ForAll @StringLength(max = 3) @AlphaChars @NumericChars String added) {
    int from = place % TOKEN.length();
    int to = Math.min(TOKEN.length(), from + removed);
    String changed = TOKEN.substring(0, from) + added + TOKEN.substring(to);
    try {
      assertEquals("alice", CHECK.check(SignedJWT.parse(changed)).principal().subject());
    } catch (ParseException | BadJOSEException refused) {
      assertEquals(false, changed.equals(TOKEN));
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
