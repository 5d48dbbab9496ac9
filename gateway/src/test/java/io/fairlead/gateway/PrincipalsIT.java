package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who asks decides: no credentials of one principal reach, or hold up, what is another's. */
class PrincipalsIT extends GatewayBench {
  private static final String ALICE = "X-Api-Key: key-of-alice-0123456789";
  private static final String BOB = "X-Api-Key: key-of-bob-0123456789";
  private static final String KEYS =
      """
      auth { mode = api-key, api-keys { alice = key-of-alice-0123456789, bob = key-of-bob-0123456789 } }
      """;

  @Test
  @DisplayName("lifecycle 32: at its own limit a principal ends its own idle session, no other's")
  void principalsLimitIsItsOwn() throws Exception {
    start(KEYS + "sessions.max-per-principal = 2");
    List<String> bobs = List.of(open(BOB), open(BOB));
    List<String> alices = List.of(open(ALICE), open(ALICE), open(ALICE));
    send("POST", PING, ALICE, alices.get(0)).expect(404);
    send("POST", PING, ALICE, alices.get(1)).expect(200);
    for (String bob : bobs) {
      send("POST", PING, BOB, bob).expect(200);
    }
    List<McpSocket> busy = new ArrayList<>();
    for (String alice : alices.subList(1, 3)) {
      McpSocket stream = send("GET", "", ALICE, alice);
      assertEquals(200, stream.status());
      busy.add(stream);
    }
    try (McpSocket refused = send("POST", INITIALIZE, ALICE)) {
      assertEquals(503, refused.status());
      assertTrue(refused.header("Retry-After").isPresent());
      assertTrue(refused.body().contains("sessions.max-per-principal"));
    }
    open(BOB);
    for (McpSocket stream : busy) {
      stream.close();
    }
    TestGateway.until("her streams end", () -> gateway.holdings().sinks() == 0);
    open(ALICE);
  }

  private String open(String credentials) throws Exception {
    try (McpSocket answer = send("POST", INITIALIZE, credentials)) {
      assertEquals(200, answer.status());
      return "Mcp-Session-Id: " + answer.header("Mcp-Session-Id").orElseThrow();
    }
  }

  @Test
  @DisplayName("lifecycle 45, 46: 401 tells nothing of a session, and every 404 is the same")
  void credentialsAreJudgedBeforeTheSession() throws Exception {
    start(KEYS);
    String live = open(ALICE);
    String ended = open(BOB);
    send("DELETE", "", BOB, ended).expect(204);
    Set<String> answers = new HashSet<>();
    for (String id : List.of(live, ended, "Mcp-Session-Id: unknown", "Mcp-Session-Id: __proto__")) {
      try (McpSocket answer = send("POST", PING, BOB, id)) {
        answers.add(answer.head() + answer.body());
      }
    }
    assertEquals(1, answers.size(), answers.toString());
    for (String id : List.of(live, "Mcp-Session-Id: unknown")) {
      send("POST", PING, "X-Api-Key: key-of-nobody-0123456789", id).expect(401);
      send("POST", PING, BOB, id).expect(404);
      send("GET", "", BOB, id).expect(404);
      send("DELETE", "", BOB, id).expect(404);
    }
    send("POST", PING, ALICE, live).expect(200);
  }

  @Test
  @DisplayName("lifecycle 98, 46: guessing is slowed, and holds up nobody who has credentials")
  void guessingHoldsUpNobodyElse() throws Exception {
    start(MEASURED + KEYS + "limits.failed-credentials = 3");
    String wrong = "X-Api-Key: key-of-nobody-0123456789";
    String unknown = "Mcp-Session-Id: unknown";
    String live = open(ALICE);
    for (int i = 0; i < 3; i++) {
      send("POST", PING, wrong, unknown).expect(401);
    }
    for (String id : List.of(live, unknown)) {
      try (McpSocket slowed = send("POST", PING, wrong, id)) {
        assertEquals(429, slowed.status());
        int wait = Integer.parseInt(slowed.header("Retry-After").orElseThrow());
        assertTrue(wait >= 1 && wait <= 61, "wait=" + wait);
        assertTrue(slowed.body().contains("\"too_many_failures\""));
      }
    }
    send("POST", PING, ALICE, live).expect(200);
    send("POST", PING, ALICE, unknown).expect(404);
    send("GET", "", BOB, live).expect(404);
    send("DELETE", "", BOB, live).expect(404);
    open(BOB);
    send("POST", PING, unknown).expect(401);
    assertEquals(2.0, gateway.refusals().get("too_many_failures"));
    assertEquals(4.0, gateway.refusals().get("unauthorized"));
  }
}
