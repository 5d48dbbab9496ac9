package io.fairlead.gateway.interop;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;

/**
 * How a packaged gateway of the matrix is configured, and what its clients send to be let in.
 *
 * @param hocon without its backends
 * @param headers of the clients
 */
record MatrixGateway(String hocon, Map<String, String> headers) {
  private static final String KEY = "matrix-key-0123456789";
  private static final String RESOURCE = "https://mcp.example.com/mcp";
  private static final String ISSUER = "https://login.example.com";

  /** With sessions, for anybody; clients that were cut come back soon. */
  static MatrixGateway open() {
    return new MatrixGateway("events.retry = 100ms\n", Map.of());
  }

  /** One whose sessions end when nobody uses them for a second. */
  static MatrixGateway shortIdle() {
    return open().with("sessions.idle-timeout = 1s\n");
  }

  MatrixGateway stateless() {
    return with("sessions.mode = stateless\n");
  }

  /** Of this one, for those who have a key. */
  MatrixGateway apiKey() {
    return new MatrixGateway(
        hocon + "auth { mode = api-key, api-keys { matrix = \"%s\" } }%n".formatted(KEY),
        Map.of("X-Api-Key", KEY));
  }

  /** Of this one, for those who have a token. */
  MatrixGateway jwt(Path directory) throws JOSEException, IOException {
    RSAKey key = new RSAKeyGenerator(2048).keyID("matrix").generate();
    Path keys = Files.createTempFile(directory, "jwks", ".json");
    Files.writeString(keys, new JWKSet(key.toPublicJWK()).toString());
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("matrix").build(),
            new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .subject("ada")
                .audience(RESOURCE)
                .expirationTime(Date.from(Instant.now().plus(Duration.ofHours(1))))
                .build());
    token.sign(new RSASSASigner(key));
    String auth =
        "auth { mode = jwt, resource = \"%s\", jwt { issuer = \"%s\", jwks-file = \"%s\" } }%n";
    return new MatrixGateway(
        hocon + auth.formatted(RESOURCE, ISSUER, keys),
        Map.of("Authorization", "Bearer " + token.serialize()));
  }

  private MatrixGateway with(String more) {
    return new MatrixGateway(hocon + more, headers);
  }
}
