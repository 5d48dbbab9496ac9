package io.fairlead.gateway.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NumericChars;
import net.jqwik.api.constraints.StringLength;

/** A token that was changed anywhere never makes its bearer somebody else. */
class TokenFuzzTest {
  private static final TrustingServer SERVER = new TrustingServer();
  private static final String TOKEN = SERVER.issuer.token();

  @Property(tries = 1000)
  void changedTokenIsRefusedOrStillSaysTheSame(
      @ForAll @IntRange(max = 4000) int place,
      @ForAll @IntRange(max = 3) int removed,
      @ForAll @StringLength(max = 3) @AlphaChars @NumericChars String added) {
    int from = place % TOKEN.length();
    int to = Math.min(TOKEN.length(), from + removed);
    String changed = TOKEN.substring(0, from) + added + TOKEN.substring(to);
    Optional<TokenClaims> claims = SERVER.claims("Bearer " + changed);
    assertTrue(claims.isPresent() || !changed.equals(TOKEN));
    claims.ifPresent(said -> assertEquals("alice", said.principal().subject()));
  }
}
