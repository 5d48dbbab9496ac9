package io.fairlead.gateway.auth;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Fuzz target: the header Authorization (lifecycle 91). */
class BearerFuzz {
  private static final TrustingServer SERVER = new TrustingServer();

  /** Nobody but the issuer makes a token, whatever the text. */
  @FuzzTest
  void textIsNoToken(byte[] bytes) {
    Optional<TokenClaims> claims = SERVER.claims(new String(bytes, StandardCharsets.ISO_8859_1));
    assertTrue(claims.isEmpty(), () -> claims.get().claims().toString());
  }
}
