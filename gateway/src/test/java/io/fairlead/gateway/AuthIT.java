package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.McpSocket.Event;
import io.fairlead.gateway.ScriptedBackend.OpenCall;
import io.fairlead.gateway.auth.AuthUnavailable;
import io.fairlead.gateway.auth.TokenIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may ask what, through the whole gateway. */
class AuthIT {
  private static final String REVISION = "2025-11-25";
  private static final String ALICE = "X-Api-Key: key-of-alice-0123456789";
  private static final String BOB = "Authorization: Bearer key-of-bob-0123456789";
  private static final String KEYS =
      """
      auth { mode = api-key, api-keys { alice = key-of-alice-0123456789, bob = key-of-bob-0123456789 } }
      """;

  @TempDir private static Path directory;
  private static TokenIssuer issuer;

  private final ScriptedBackend backend = new ScriptedBackend("demo");
  private TestGateway gateway;

  @BeforeAll
  static void keys() throws Exception {
    issuer = TokenIssuer.create("k1");
    Files.writeString(directory.resolve("keys.json"), issuer.keySet());
  }

  @AfterEach
  void stop() {
    if (gateway != null) {
      gateway.close();
    }
  }

  @Test
  @DisplayName("lifecycle 3, 13, 83: without credentials every verb is challenged, nothing is held")
  void missingCredentialsAreChallenged() throws Exception {
    start(KEYS);
    String session = open(ALICE);
    for (String verb : List.of("POST", "GET", "DELETE")) {
      for (String header : List.of("X-None: 1", "Mcp-Session-Id: " + session)) {
        try (McpSocket answer = send(verb, McpSession.initialize(REVISION), header)) {
          assertEquals(401, answer.status());
          assertEquals(
              "Bearer realm=\"fairlead\"", answer.header("WWW-Authenticate").orElseThrow());
          assertTrue(answer.body().contains("\"unauthorized\""));
        }
      }
    }
    assertEquals(1, gateway.holdings().sessions());
    assertTrue(backend.isQuiet());
  }

  @Test
  @DisplayName("lifecycle 81, 83: the body of a stranger is never invited")
  void bodyOfAStrangerIsNotInvited() throws Exception {
    start(KEYS);
    try (McpSocket answer = send("POST", "{}", "Expect: 100-continue")) {
      assertEquals(401, answer.status());
      assertEquals("close", answer.header("Connection").orElseThrow());
    }
  }

  @Test
  @DisplayName("lifecycle 45, 85: a session is unknown to everybody but its principal")
  void sessionOfAnotherPrincipalIsUnknown() throws Exception {
    start(KEYS);
    String session = "Mcp-Session-Id: " + open(ALICE);
    String unknown = "Mcp-Session-Id: " + "x".repeat(32);
    String ping = McpSession.request("7", "ping", "{}");
    String response = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";
    for (String body : List.of(ping, response, McpSession.call("7"))) {
      assertEquals(refusal("POST", body, unknown), refusal("POST", body, session));
    }
    assertEquals(refusal("DELETE", "", unknown), refusal("DELETE", "", session));
    assertEquals(refusal("GET", "", unknown), refusal("GET", "", session));
    assertEquals(
        refusal("GET", "", unknown, "Last-Event-ID: a-0"),
        refusal("GET", "", session, "Last-Event-ID: a-0"));
    try (McpSocket answer = send("POST", ping, ALICE, session)) {
      assertEquals(200, answer.status());
    }
    assertTrue(backend.isQuiet());
  }

  @Test
  @DisplayName("lifecycle 46: invalid credentials are told before the session is looked up")
  void invalidCredentialsNeverTellWhetherASessionLives() throws Exception {
    start(KEYS);
    String ping = McpSession.request("7", "ping", "{}");
    for (String session : List.of(open(ALICE), "x".repeat(32), "__proto__")) {
      try (McpSocket answer =
          send("POST", ping, "X-Api-Key: wrong", "Mcp-Session-Id: " + session)) {
        assertEquals(401, answer.status());
      }
    }
  }

  @Test
  @DisplayName("lifecycle 84: a session outlives its token, and its owner's next token goes on")
  void sessionGoesOnWithTheNextTokenOfTheSamePrincipal() throws Exception {
    start(jwt());
    String session = "Mcp-Session-Id: " + open(bearer(300));
    String ping = McpSession.request("7", "ping", "{}");
    try (McpSocket expired = send("POST", ping, bearer(-1), session)) {
      assertEquals(401, expired.status());
      assertTrue(expired.header("WWW-Authenticate").orElseThrow().contains("has expired"));
    }
    try (McpSocket refreshed = send("POST", ping, bearer(200), session)) {
      assertEquals(200, refreshed.status());
    }
  }

  @Test
  @DisplayName("lifecycle 84, streams 21: streams end with their token, and the call goes on")
  void streamEndsWhenItsTokenExpires() throws Exception {
    start(jwt());
    String session = "Mcp-Session-Id: " + open(bearer(300));
    String soon = bearer(2);
    try (McpSocket get = send("GET", "", soon, session);
        McpSocket post = send("POST", McpSession.call("1"), soon, session)) {
      assertEquals(200, get.status());
      String cursor = post.next().orElseThrow().id();
      OpenCall call = backend.nextCall();
      assertEquals(List.of(), get.rest());
      assertEquals(List.of(), post.rest());
      call.answer("late");
      String from = "Last-Event-ID: " + cursor;
      try (McpSocket refused = send("GET", "", bearer(-1), session, from)) {
        assertEquals(401, refused.status());
        assertFalse(refused.body().contains("late"));
      }
      try (McpSocket resumed = send("GET", "", bearer(300), session, from)) {
        List<Event> events = resumed.rest();
        assertEquals(1, events.size());
        assertTrue(events.get(0).data().contains("late"));
      }
    }
  }

  @Test
  @DisplayName("lifecycle 84: a stream that cannot be resumed ends with its token too")
  void streamWithoutSessionEndsWhenItsTokenExpires() throws Exception {
    start(jwt() + "sessions.mode = stateless");
    try (McpSocket post = send("POST", McpSession.call("1"), bearer(2))) {
      assertEquals(200, post.status());
      backend.nextCall();
      assertEquals(List.of(), post.rest());
    }
    TestGateway.until("nobody reads", () -> gateway.holdings().sinks() == 0);
  }

  @Test
  @DisplayName("lifecycle 13, 90: a token without the scope is refused with all that are needed")
  void tokenWithoutTheScopeIsForbidden() throws Exception {
    start(jwt());
    String token = issuer.token(claims -> claims.claim("scope", "other"));
    try (McpSocket answer =
        send("POST", McpSession.initialize(REVISION), "Authorization: Bearer " + token)) {
      assertEquals(403, answer.status());
      assertTrue(answer.body().contains("\"insufficient_scope\""));
      assertTrue(answer.header("WWW-Authenticate").orElseThrow().endsWith("scope=\"mcp:tools\""));
    }
    assertEquals(0, gateway.holdings().sessions());
  }

  @Test
  @DisplayName("lifecycle 87: a token that is good until the year 9999 is a token")
  void farExpiryIsNoFault() throws Exception {
    start(jwt());
    LoggedErrors errors = LoggedErrors.watch();
    for (long exp : new long[] {32_503_680_000L, 253_402_300_799L}) {
      String bearer = "Authorization: Bearer " + issuer.token(c -> c.claim("exp", exp));
      String session = "Mcp-Session-Id: " + open(bearer);
      try (McpSocket stream = send("GET", "", bearer, session)) {
        assertEquals(200, stream.status());
      }
    }
    errors.close();
  }

  @Test
  @DisplayName("lifecycle 93: the metadata is there for everybody, pages included")
  void metadataIsServedWithoutCredentials() throws Exception {
    start(jwt());
    String origin = "Origin: http://localhost:6274";
    for (String path : List.of("", "/mcp", "/mcp/demo")) {
      String target = "/.well-known/oauth-protected-resource" + path;
      try (McpSocket answer = McpSocket.send(gateway.port(), "GET", target, "", origin)) {
        assertEquals(200, answer.status());
        assertEquals("application/json", answer.header("Content-Type").orElseThrow());
        assertEquals(
            "http://localhost:6274", answer.header("Access-Control-Allow-Origin").orElseThrow());
        assertTrue(answer.body().contains(TokenIssuer.RESOURCE), answer.body());
      }
      try (McpSocket answer = McpSocket.send(gateway.port(), "DELETE", target, "")) {
        assertEquals(405, answer.status());
      }
      assertEquals(204, preflight(target));
    }
    for (String path : List.of("X", "/mcp/nope", "/mcp/demo/x")) {
      String target = "/.well-known/oauth-protected-resource" + path;
      try (McpSocket answer = McpSocket.send(gateway.port(), "GET", target, "")) {
        assertEquals(404, answer.status());
        assertTrue(answer.body().contains("\"path_unknown\""));
      }
    }
  }

  @Test
  @DisplayName("lifecycle 97: a page is let in before it can authenticate, and sees why it may not")
  void preflightPassesAndTheChallengeIsReadable() throws Exception {
    start(KEYS);
    assertEquals(204, preflight("/mcp"));
    try (McpSocket answer = send("POST", "{}", "Origin: http://localhost:6274")) {
      assertEquals(401, answer.status());
      assertEquals(
          "http://localhost:6274", answer.header("Access-Control-Allow-Origin").orElseThrow());
      assertTrue(answer.header("Access-Control-Expose-Headers").orElseThrow().contains("WWW-Auth"));
    }
  }

  @Test
  @DisplayName("lifecycle 88: without keys for tokens nothing starts")
  void gatewayDoesNotStartWithoutKeys() {
    assertThrows(AuthUnavailable.class, () -> start(jwt().replace("keys.json", "none.json")));
  }

  private void start(String hocon) throws Exception {
    gateway = TestGateway.start(hocon, backend);
  }

  private static String jwt() {
    return """
    auth {
      mode = jwt
      resource = "%s"
      jwt {
        issuer = "%s", jwks-file = "%s", required-scopes = ["mcp:tools"], leeway = 0s
      }
    }
    """
        .formatted(
            TokenIssuer.RESOURCE, TokenIssuer.ISSUER, directory.resolve("keys.json").toString());
  }

  private static String bearer(int seconds) {
    Date end = Date.from(Instant.now().plusSeconds(seconds));
    return "Authorization: Bearer " + issuer.token(claims -> claims.expirationTime(end));
  }

  private String open(String credentials) throws IOException {
    try (McpSocket answer = send("POST", McpSession.initialize(REVISION), credentials)) {
      assertEquals(200, answer.status());
      return answer.header("Mcp-Session-Id").orElseThrow();
    }
  }

  /** What Bob gets, without what differs in every answer. */
  private String refusal(String verb, String body, String... headers) throws IOException {
    List<String> all = new ArrayList<>(List.of(headers));
    all.add(BOB);
    try (McpSocket answer = send(verb, body, all.toArray(String[]::new))) {
      assertEquals(404, answer.status());
      Optional<String> challenge = answer.header("WWW-Authenticate");
      assertFalse(challenge.isPresent());
      return answer.body();
    }
  }

  private int preflight(String target) throws IOException {
    try (McpSocket answer =
        McpSocket.send(
            gateway.port(),
            "OPTIONS",
            target,
            "",
            "Origin: http://localhost:6274",
            "Access-Control-Request-Method: POST")) {
      assertEquals(
          "http://localhost:6274", answer.header("Access-Control-Allow-Origin").orElse("none"));
      return answer.status();
    }
  }

  private McpSocket send(String verb, String body, String... headers) throws IOException {
    List<String> all = new ArrayList<>(List.of(headers));
    all.add("Accept: " + (verb.equals("GET") ? "text/event-stream" : McpSocket.BOTH));
    return McpSocket.send(gateway.port(), verb, "/mcp", body, all.toArray(String[]::new));
  }
}
