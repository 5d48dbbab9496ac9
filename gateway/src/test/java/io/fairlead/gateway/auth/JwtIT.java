package io.fairlead.gateway.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.fairlead.gateway.auth.AuthFront.Answer;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.net.URI;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/** Access tokens at a real server: lifecycle 83 to 87 and 89 to 91. */
@ExtendWith(VertxExtension.class)
class JwtIT {
  private static final String METADATA =
      "resource_metadata=\"https://mcp.example.com/.well-known/oauth-protected-resource/mcp\"";

  private static Vertx vertx;
  private static TokenIssuer issuer;
  private static TokenIssuer stranger;
  private static KeyServer keys;
  private static AuthFront front;

  @BeforeAll
  static void start(Vertx shared) throws Exception {
    vertx = shared;
    issuer = TokenIssuer.create("k1");
    stranger = TokenIssuer.create("k1");
    keys = new KeyServer(vertx, issuer.keySet());
    front = AuthFront.start(vertx, keys.hocon());
  }

  @Test
  void validTokenGivesThePrincipalOfItsIssuerSubjectAndClient() throws Exception {
    Answer answer = front.askWith(issuer.token());
    assertEquals(200, answer.status(), answer.challenge());
    assertEquals(new Principal(TokenIssuer.ISSUER, "alice", "client-1").toString(), answer.body());
  }

  @Test
  void missingCredentialsAreChallengedWithWhereToAskAndForWhat() throws Exception {
    Answer answer = front.ask("/mcp");
    assertEquals(401, answer.status());
    assertEquals("Bearer " + METADATA + ", scope=\"mcp:tools\"", answer.challenge());
  }

  @Test
  void challengeOfOneBackendPointsAtTheMetadataOfThatOne() throws Exception {
    assertTrue(
        front
            .ask("/mcp/files")
            .challenge()
            .contains("/.well-known/oauth-protected-resource/mcp/files\""));
  }

  @Test
  void refreshedTokenIsTheSamePrincipalAndAnotherSubjectOfTheSameClientIsNot() throws Exception {
    String first = front.askWith(issuer.token()).body();
    String refreshed = front.askWith(issuer.token(claims -> claims.jwtID("another"))).body();
    String other = front.askWith(issuer.token(claims -> claims.subject("bob"))).body();
    assertEquals(first, refreshed);
    assertNotEquals(first, other);
  }

  @Test
  void expiredTokenIsToldSoEvenIfItsScopeWouldNotReachEither() throws Exception {
    for (String scope : List.of("mcp:tools", "none")) {
      Answer answer =
          front.askWith(
              issuer.token(
                  claims -> claims.claim("scope", scope).expirationTime(secondsFromNow(-1))));
      assertEquals(401, answer.status());
      assertTrue(answer.challenge().contains("error=\"invalid_token\""), answer.challenge());
      assertTrue(answer.challenge().contains("has expired"), answer.challenge());
    }
  }

  @Test
  void validTokenWithoutTheScopeIsToldAllScopesThatAreNeeded() throws Exception {
    Answer answer = front.askWith(issuer.token(claims -> claims.claim("scope", "mcp mcp:")));
    assertEquals(403, answer.status());
    assertTrue(answer.challenge().contains("error=\"insufficient_scope\""), answer.challenge());
    assertTrue(answer.challenge().endsWith(METADATA + ", scope=\"mcp:tools\""));
  }

  @Test
  void scopesMayStandInEitherClaim() throws Exception {
    for (Object scp : List.of("x mcp:tools", List.of("x", "mcp:tools"))) {
      Answer answer =
          front.askWith(issuer.token(claims -> claims.claim("scope", null).claim("scp", scp)));
      assertEquals(200, answer.status(), answer.challenge());
    }
  }

  @Test
  void tokenForOneBackendIsGoodForThatOneAlone() throws Exception {
    String token = issuer.token(claims -> claims.audience(TokenIssuer.RESOURCE + "/files"));
    assertEquals(200, front.ask("/mcp/files", "Authorization", "Bearer " + token).status());
    assertEquals(401, front.ask("/mcp/other", "Authorization", "Bearer " + token).status());
    assertEquals(401, front.askWith(token).status());
  }

  @TestFactory
  Stream<DynamicTest> tokenIsInvalidWhen() throws Exception {
    Map<String, String> tokens =
        Map.ofEntries(
            Map.entry("it is not signed", new PlainJWT(TokenIssuer.claims().build()).serialize()),
            Map.entry("alg none has a signature", withHeader("{\"alg\":\"none\"}")),
            Map.entry("it is signed with the public key as a secret", hmacWithPublicKey()),
            Map.entry("its alg is not allowed", withAlgorithm(JWSAlgorithm.RS384)),
            Map.entry("its key is unknown", withKeyId("k9")),
            Map.entry("its key is another one of that name", stranger.token()),
            Map.entry("crit names something", withCritical()),
            Map.entry("typ is not allowed", withType("logout+jwt")),
            Map.entry("exp is missing", changed("exp", null)),
            Map.entry("exp is a text", withClaims("\"exp\":\"9999999999\"")),
            Map.entry("exp is out of all range", withClaims("\"exp\":1e300")),
            Map.entry("nbf is in the future", changed("nbf", secondsFromNow(90))),
            Map.entry("iss is missing", changed("iss", null)),
            Map.entry("iss is foreign", changed("iss", TokenIssuer.ISSUER + "/")),
            Map.entry("sub is missing", changed("sub", null)),
            Map.entry("sub is empty", changed("sub", "")),
            Map.entry("aud is missing", changed("aud", null)),
            Map.entry("aud is foreign", changed("aud", "https://mcp.example.com")),
            Map.entry("a claim stands there twice", withClaims("\"exp\":1,\"exp\":9999999999")),
            Map.entry("alg stands there twice", withHeader("{\"alg\":\"RS256\",\"alg\":\"none\"}")),
            Map.entry("it has two parts", issuer.token().replaceFirst("\\.[^.]*$", "")),
            Map.entry("it is no token", "opaque"));
    return tokens.entrySet().stream()
        .map(
            entry ->
                DynamicTest.dynamicTest(entry.getKey(), () -> assertInvalid(entry.getValue())));
  }

  @TestFactory
  Stream<DynamicTest> tokenIsInvalidWhenATimeIsNone() {
    return Stream.of("exp", "nbf", "iat")
        .flatMap(
            claim ->
                Stream.of(
                        "-1",
                        "253402300800",
                        "1900000000000",
                        "9223372036854775",
                        "31556889864403199",
                        "9007199254740993000",
                        "9223372036854775807",
                        "99999999999999999999",
                        "1e19",
                        "1e30",
                        "1e300",
                        "1e400")
                    .map(value -> "\"" + claim + "\":" + value))
        .map(time -> DynamicTest.dynamicTest(time, () -> assertNoTime(time)));
  }

  private static void assertNoTime(String time) throws Exception {
    long soon = Instant.now().plusSeconds(300).getEpochSecond();
    String claims = time.startsWith("\"exp\"") ? time : "\"exp\":" + soon + "," + time;
    Answer answer = front.askWith(withClaims(claims));
    assertEquals(401, answer.status(), answer.body());
    assertTrue(answer.challenge().contains("error=\"invalid_token\""), answer.challenge());
    assertTrue(!answer.challenge().contains("has expired"), answer.challenge());
  }

  @Test
  void timesMayBeTheLastOfFourDigitsAndHaveFractions() throws Exception {
    String times = "\"exp\":253402300799,\"nbf\":1.5,\"iat\":0";
    assertEquals(200, front.askWith(withClaims(times)).status());
  }

  @Test
  void tokenAbove8KiBIsNotEvenRead() throws Exception {
    assertEquals(200, front.askWith(issuer.token(c -> c.claim("x", "x".repeat(5_000)))).status());
    assertInvalid(issuer.token(c -> c.claim("x", "x".repeat(6_000))));
  }

  @Test
  @DisplayName("lifecycle 89: nothing that a token names is fetched or opened")
  void headerParametersThatNameKeysAreNeverFollowed() throws Exception {
    KeyServer canary = new KeyServer(vertx, stranger.keySet());
    JWSHeader header =
        stranger
            .header()
            .keyID("../../etc/passwd")
            .jwkURL(URI.create(canary.url()))
            .x509CertURL(URI.create(canary.url()))
            .jwk(stranger.key().toPublicJWK())
            .build();
    assertInvalid(stranger.token(header, TokenIssuer.claims().build()));
    assertEquals(0, canary.requests());
  }

  @Test
  void tokenElsewhereThanInTheHeaderIsIgnored() throws Exception {
    String token = issuer.token();
    assertNotSent(front.ask("/mcp?access_token=" + token));
    assertNotSent(front.ask("/mcp", "Cookie", "access_token=" + token));
    assertNotSent(front.ask("/mcp", "X-Api-Key", token));
  }

  @Test
  void credentialsThatAreNotExactlyOneBearerTokenAreMalformed() throws Exception {
    String bearer = "Bearer " + issuer.token();
    assertMalformed(front.ask("/mcp", "Authorization", bearer, "Authorization", bearer));
    assertMalformed(front.ask("/mcp", "Authorization", "Basic dTpw"));
    assertMalformed(front.ask("/mcp", "Authorization", "Bearer"));
    assertMalformed(front.ask("/mcp", "Authorization", bearer + " " + issuer.token()));
    assertMalformed(front.ask("/mcp", "Authorization", "Bearer a\"b"));
  }

  private static void assertInvalid(String token) throws Exception {
    Answer answer = front.askWith(token);
    assertEquals(401, answer.status(), answer.body());
    assertTrue(answer.challenge().contains("error=\"invalid_token\""), answer.challenge());
    assertTrue(answer.challenge().contains(METADATA), answer.challenge());
  }

  private static void assertMalformed(Answer answer) {
    assertEquals(401, answer.status());
    assertTrue(answer.challenge().contains("error=\"invalid_request\""), answer.challenge());
  }

  private static void assertNotSent(Answer answer) {
    assertEquals(401, answer.status());
    assertTrue(!answer.challenge().contains("error="), answer.challenge());
  }

  private static String changed(String claim, Object value) {
    return issuer.token(claims -> claims.claim(claim, value));
  }

  private static Date secondsFromNow(long seconds) {
    return Date.from(Instant.now().plusSeconds(seconds));
  }

  private static String withHeader(String header) {
    return issuer.rawToken(header, TokenIssuer.claims().build().toString());
  }

  /** The usual claims as text, the given ones instead of {@code exp}. */
  private static String withClaims(String expiry) {
    String claims = TokenIssuer.claims().expirationTime(null).build().toString();
    return issuer.rawToken(
        "{\"alg\":\"RS256\",\"kid\":\"k1\"}", claims.replaceFirst("}$", "," + expiry + "}"));
  }

  private static String withAlgorithm(JWSAlgorithm algorithm) {
    JWSHeader header = new JWSHeader.Builder(algorithm).keyID("k1").build();
    return issuer.token(header, TokenIssuer.claims().build());
  }

  private static String withKeyId(String id) {
    return issuer.token(issuer.header().keyID(id).build(), TokenIssuer.claims().build());
  }

  private static String withType(String type) {
    JWSHeader header = issuer.header().type(new JOSEObjectType(type)).build();
    return issuer.token(header, TokenIssuer.claims().build());
  }

  private static String withCritical() {
    return issuer.rawToken(
        "{\"alg\":\"RS256\",\"kid\":\"k1\",\"exp\":1,\"crit\":[\"exp\"]}",
        TokenIssuer.claims().build().toString());
  }

  private static String hmacWithPublicKey() throws Exception {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("k1").build(),
            TokenIssuer.claims().build());
    token.sign(new MACSigner(issuer.key().toRSAPublicKey().getEncoded()));
    return token.serialize();
  }
}
