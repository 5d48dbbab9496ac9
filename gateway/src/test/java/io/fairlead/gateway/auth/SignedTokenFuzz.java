package io.fairlead.gateway.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Fuzz target: header and claims of a token that bears the issuer's signature (lifecycle 87). */
class SignedTokenFuzz {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final TrustingServer SERVER = new TrustingServer();

  /** What the issuer has signed is accepted only with the claims that are asked for. */
  @FuzzTest
  void signedTokenIsAcceptedWhenItSaysWhatIsAskedFor(byte[] bytes) throws JsonProcessingException {
    String[] parts = new String(bytes, StandardCharsets.UTF_8).split("\n", 2);
    String claims = parts.length > 1 ? parts[1] : "";
    if (SERVER.claims("Bearer " + SERVER.issuer.rawToken(parts[0], claims)).isPresent()) {
      JsonNode header = JSON.readTree(parts[0]);
      assertEquals("RS256", header.path("alg").textValue());
      assertTrue(header.path("crit").isMissingNode());
      JsonNode said = JSON.readTree(claims);
      assertEquals(TokenIssuer.ISSUER, said.path("iss").textValue());
      assertTrue(said.path("exp").isNumber());
      assertTrue(said.path("exp").asLong() >= Instant.now().getEpochSecond() - 1);
    }
  }
}
