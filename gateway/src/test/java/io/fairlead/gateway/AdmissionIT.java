package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.session.HeldBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is told, counted and closed when a limit is reached. */
class AdmissionIT extends GatewayBench {
  private static final String ALICE = "X-Api-Key: key-of-alice-0123456789";
  private static final String BOB = "X-Api-Key: key-of-bob-0123456789";
  private static final String KEYS =
      """
      auth { mode = api-key, api-keys { alice = key-of-alice-0123456789, bob = key-of-bob-0123456789 } }
      """;

  @Test
  @DisplayName("lifecycle 29: the session that gives way is counted, and its links are closed")
  void evictionIsCountedAndToldToTheBackend() throws Exception {
    start(MEASURED + "sessions.max = 2");
    McpSession first = McpSession.open(gateway.port());
    McpSession second = McpSession.open(gateway.port());
    McpSocket post = second.post(McpSession.call("1"));
    backend.nextCall().answer("over a link of its own");
    assertEquals(1, post.rest().size());
    TestGateway.until("the call is over", () -> gateway.holdings().sinks() == 0);
    first.post(PING).expect(200);
    assertEquals(List.of(), backend.closed);
    McpSession third = McpSession.open(gateway.port());
    assertEquals(List.of("link"), backend.closed);
    assertEquals(2, gateway.holdings().sessions());
    String scrape = gateway.read(TestGateway::scrape);
    assertTrue(scrape.contains("fairlead_sessions_closed_total{reason=\"evicted\"} 1.0"), scrape);
    second.post(PING).expect(404);
    first.post(PING).expect(200);
    third.post(PING).expect(200);
  }

  @Test
  @DisplayName(
      "lifecycle 30: with all sessions active the next is 503, which tells no number or id")
  void fullGatewayTellsNothingOfItsSessions() throws Exception {
    start(MEASURED + "sessions.max = 2");
    List<McpSession> sessions = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      McpSession session = McpSession.open(gateway.port());
      sessions.add(session);
      assertEquals(200, session.get().status());
    }
    try (McpSocket refused = send("POST", INITIALIZE)) {
      assertEquals(503, refused.status());
      assertTrue(Integer.parseInt(refused.header("Retry-After").orElseThrow()) >= 1);
      assertTrue(refused.header("Mcp-Session-Id").isEmpty());
      String body = refused.body();
      assertTrue(body.contains("-32603") && body.contains("\"reason\":\"overloaded\""), body);
      assertTrue(body.contains("\"limit\":\"sessions.max\"") && body.contains("\"id\":0"), body);
      String rest = body.replace("-32603", "").replace("\"id\":0", "").replace("\"2.0\"", "");
      assertFalse(rest.matches("(?s).*\\d.*"), body);
      assertFalse(sessions.stream().anyMatch(session -> body.contains(session.id)), body);
    }
    assertEquals(Map.of("sessions.max", 1.0), gateway.refusals());
    assertEquals(2, gateway.holdings().sinks());
    for (McpSession session : sessions) {
      session.post(PING).expect(200);
    }
  }

  @Test
  @DisplayName("lifecycle 36: calls of a session and in all are exact when they come at once")
  void callsAreExactUnderConcurrency() throws Exception {
    start(MEASURED + "limits { calls = 7, calls-per-session = 5 }");
    assertEquals(5, accepted(McpSession.open(gateway.port()), "limits.calls-per-session"));
    assertEquals(2, accepted(McpSession.open(gateway.port()), "limits.calls"));
    assertEquals(7, gateway.holdings().calls());
    for (int i = 0; i < 7; i++) {
      backend.nextCall();
    }
    assertTrue(backend.isQuiet());
    assertEquals(
        Map.of("limits.calls-per-session", 35.0, "limits.calls", 38.0), gateway.refusals());
  }

  /** How many of 40 calls are; the others are refused for {@code limit}. */
  private static int accepted(McpSession session, String limit) throws Exception {
    List<McpSocket> asking = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      asking.add(session.post(McpSession.call("" + i)));
    }
    int accepted = 0;
    for (McpSocket answer : asking) {
      if (answer.status() == 200) {
        accepted++;
      } else {
        assertEquals(503, answer.status());
        assertTrue(answer.header("Retry-After").isPresent());
        String body = answer.body();
        assertTrue(body.contains("\"limit\":\"" + limit + '"') && body.contains("-32603"), body);
      }
    }
    return accepted;
  }

  @Test
  @DisplayName("lifecycle 32: at its own limit a principal costs nobody a session, large or small")
  void ownLimitCostsNobodyElse() throws Exception {
    start(MEASURED + KEYS + "sessions.max-per-principal = 2");
    String large = INITIALIZE.replace("\"name\":\"test", "\"name\":\"" + "x".repeat(60_000));
    String bobs = open(BOB, large);
    List<String> alices = List.of(open(ALICE, INITIALIZE), open(ALICE, INITIALIZE));
    gateway.read(
        parts -> {
          HeldBytes bytes = parts.services().tally().sessionBytes();
          return bytes.hold((int) (bytes.limit() - bytes.held() - 1_000));
        });
    try (McpSocket refused = send("POST", large, ALICE)) {
      assertEquals(503, refused.status());
      assertTrue(refused.header("Retry-After").isPresent());
      assertTrue(refused.body().contains("\"limit\":\"sessions.max-per-principal\""));
    }
    send("POST", PING, BOB, bobs).expect(200);
    assertEquals(3, gateway.holdings().sessions());
    open(ALICE, INITIALIZE);
    send("POST", PING, ALICE, alices.get(0)).expect(404);
    send("POST", PING, ALICE, alices.get(1)).expect(200);
    send("POST", PING, BOB, bobs).expect(200);
  }

  private String open(String key, String initialize) throws Exception {
    try (McpSocket answer = send("POST", initialize, key)) {
      assertEquals(200, answer.status());
      return "Mcp-Session-Id: " + answer.header("Mcp-Session-Id").orElseThrow();
    }
  }
}
