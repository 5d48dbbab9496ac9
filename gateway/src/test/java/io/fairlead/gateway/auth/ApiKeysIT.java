package io.fairlead.gateway.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.auth.AuthFront.Answer;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** API keys at a real server: lifecycle 83, 91 and 92. */
@ExtendWith(VertxExtension.class)
class ApiKeysIT {
  private static final String KEY = "canary-of-ci-0123456789";
  private static final String OTHER = "canary-of-dev-9876543210";

  private static AuthFront front;

  @BeforeAll
  static void start(Vertx vertx) throws Exception {
    front =
        AuthFront.start(
            vertx,
            "auth { mode = api-key, api-keys { ci = \"%s\", dev = \"%s\" } }"
                .formatted(KEY, OTHER));
  }

  @Test
  void keyInEitherHeaderGivesThePrincipalOfItsId() throws Exception {
    String ci = new Principal("api-key", "ci", "").toString();
    assertEquals(ci, front.askWith(KEY).body());
    assertEquals(ci, front.ask("/mcp", "Authorization", "bearer  " + KEY).body());
    assertEquals(ci, front.ask("/mcp", "X-Api-Key", KEY).body());
    assertEquals(new Principal("api-key", "dev", "").toString(), front.askWith(OTHER).body());
  }

  @Test
  void missingKeyIsChallengedWithoutAnError() throws Exception {
    Answer answer = front.ask("/mcp?api_key=" + KEY, "Cookie", "key=" + KEY);
    assertEquals(401, answer.status());
    assertEquals("Bearer realm=\"fairlead\"", answer.challenge());
  }

  @Test
  @DisplayName("lifecycle 92: a wrong key is one and the same 401, whatever its length")
  void wrongKeyIsInvalidWhateverItsLength() throws Exception {
    for (String key : new String[] {"x", KEY + "x", KEY.substring(1), "ci", KEY.toUpperCase()}) {
      Answer answer = front.askWith(key);
      assertEquals(401, answer.status());
      assertTrue(answer.challenge().contains("error=\"invalid_token\""), answer.challenge());
      assertFalse(answer.challenge().contains(key + "\""), answer.challenge());
    }
  }

  @Test
  void moreThanOneKeyIsMalformed() throws Exception {
    String bearer = "Bearer " + KEY;
    assertMalformed(front.ask("/mcp", "Authorization", bearer, "X-Api-Key", KEY));
    assertMalformed(front.ask("/mcp", "X-Api-Key", KEY, "X-Api-Key", KEY));
    assertMalformed(front.ask("/mcp", "Authorization", bearer, "Authorization", bearer));
    assertMalformed(front.ask("/mcp", "Authorization", "Basic " + KEY));
  }

  @Test
  void metadataIsServedOnlyWhereAnAuthorizationServerIsKnown() throws Exception {
    assertEquals(401, front.ask("/.well-known/oauth-protected-resource").status());
  }

  private static void assertMalformed(Answer answer) {
    assertEquals(401, answer.status());
    assertTrue(answer.challenge().contains("error=\"invalid_request\""), answer.challenge());
  }
}
