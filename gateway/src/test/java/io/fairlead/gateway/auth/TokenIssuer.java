package io.fairlead.gateway.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.time.Instant;
import java.util.Date;
import java.util.Set;
import java.util.function.UnaryOperator;

/** An authorization server's key, and the tokens that are signed with it. */
public record TokenIssuer(RSAKey key) {
  public static final String ISSUER = "https://id.example.com";
  public static final String RESOURCE = "https://mcp.example.com/mcp";

  public static TokenIssuer create(String keyId) throws JOSEException {
    return new TokenIssuer(new RSAKeyGenerator(2048).keyID(keyId).generate());
  }

  public String keySet() {
    return new JWKSet(key.toPublicJWK()).toString();
  }

  public static JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER)
        .subject("alice")
        .audience(RESOURCE)
        .claim("client_id", "client-1")
        .claim("scope", "mcp:tools other")
        .expirationTime(Date.from(Instant.now().plusSeconds(300)));
  }

  JWSHeader.Builder header() {
    return new JWSHeader.Builder(JWSAlgorithm.RS256)
        .keyID(key.getKeyID())
        .type(new JOSEObjectType("at+jwt"));
  }

  public String token() {
    return token(header().build(), claims().build());
  }

  public String token(UnaryOperator<JWTClaimsSet.Builder> change) {
    return token(header().build(), change.apply(claims()).build());
  }

  String token(JWSHeader header, JWTClaimsSet claims) {
    try {
      SignedJWT token = new SignedJWT(header, claims);
      token.sign(new RSASSASigner(key, Set.of()));
      return token.serialize();
    } catch (JOSEException failure) {
      throw new AssertionError(failure);
    }
  }

  /** A token whose parts are these texts, signed as they are. */
  String rawToken(String header, String claims) {
    try {
      Base64URL first = Base64URL.encode(header);
      Base64URL second = Base64URL.encode(claims);
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(key.toPrivateKey());
      signature.update((first + "." + second).getBytes(StandardCharsets.US_ASCII));
      return first + "." + second + "." + Base64URL.encode(signature.sign());
    } catch (JOSEException | GeneralSecurityException failure) {
      throw new AssertionError(failure);
    }
  }
}
