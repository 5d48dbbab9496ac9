package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whatever the reason why a session is not the caller's: the answer is the same. */
class UnknownSessionsIT extends GatewayBench {
  private static final String REVISION = "2025-11-25";
  private static final String ALICE = "X-Api-Key: key-of-alice-0123456789";
  private static final String BOB = "X-Api-Key: key-of-bob-0123456789";
  private static final String KEYS =
      """
      auth { mode = api-key, api-keys { alice = key-of-alice-0123456789, bob = key-of-bob-0123456789 } }
      """;
  private static final String NOTE =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/roots/list_changed\"}";
  private static final String RESPONSE = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";

  /** Ids of sessions that are not Alice's at /mcp, by why they are not. */
  private final Map<String, String> ids = new HashMap<>();

  private McpSession foreign;
  private McpSession elsewhere;

  @BeforeEach
  void start() throws Exception {
    start(KEYS);
    ids.put("expired", open("/mcp", ALICE).id);
    gateway.apply(KEYS + "sessions.idle-timeout = 100ms", backend);
    TestGateway.until("it expires", () -> gateway.holdings().sessions() == 0);
    gateway.apply(KEYS, backend);
    McpSession deleted = open("/mcp", ALICE);
    deleted.delete(ALICE).expect(204);
    ids.put("deleted", deleted.id);
    foreign = open("/mcp", BOB);
    ids.put("of another principal", foreign.id);
    elsewhere = open("/mcp/demo", ALICE);
    ids.put("of another endpoint", elsewhere.id);
    ids.put("never issued", "A".repeat(foreign.id.length()));
    ids.put("a word", "constructor");
  }

  private McpSession open(String path, String key) throws Exception {
    return McpSession.open(gateway.port(), path, REVISION, key);
  }

  @Test
  @DisplayName(
      "lifecycle 20, 39, 40, 44, 45: every session that is not one's own is the same 404, head and"
          + " body, to each message and verb")
  void everyOtherSessionIsTheSame404() throws Exception {
    for (String message : List.of(PING, McpSession.call("5"), NOTE, RESPONSE)) {
      String body = same("POST", message, "Accept: " + McpSocket.BOTH);
      boolean request = message.contains("\"id\":5");
      assertTrue(body.contains(request ? "\"id\":5" : "\"id\":null"), body);
    }
    same("GET", "", "Accept: text/event-stream");
    same("GET", "", "Accept: text/event-stream", "Last-Event-ID: a-0");
    same("DELETE", "", "Accept: */*");
    assertTrue(backend.isQuiet() && backend.notifications.isEmpty() && backend.answers.isEmpty());
    foreign.post(PING, BOB).expect(200);
    elsewhere.post(PING, ALICE).expect(200);
  }

  /** What Alice is told at /mcp, whichever of the ids she sends. */
  private String same(String verb, String message, String... headers) throws Exception {
    List<String> told = new ArrayList<>();
    String body = "";
    for (Map.Entry<String, String> id : ids.entrySet()) {
      List<String> all = new ArrayList<>(List.of(headers));
      all.addAll(List.of(ALICE, "Mcp-Session-Id: " + id.getValue()));
      try (McpSocket answer = gateway.send(verb, message, all.toArray(String[]::new))) {
        assertEquals(404, answer.status(), verb + " " + id.getKey());
        assertEquals("application/json", answer.header("Content-Type").orElse(""));
        body = answer.body();
        told.add(answer.head() + body);
      }
    }
    assertEquals(1, told.stream().distinct().count(), told::toString);
    assertTrue(body.contains("-32001") && body.contains("\"session_unknown\""), body);
    assertTrue(body.length() <= 1024, body);
    return body;
  }

  @Test
  @DisplayName("lifecycle 15: initialize with the id of another's session begins a fresh one")
  void initializeWithAForeignIdBeginsAnew() throws Exception {
    for (Map.Entry<String, String> id : ids.entrySet()) {
      try (McpSocket fresh =
          gateway.send(
              "POST",
              McpSession.initialize(REVISION),
              "Accept: " + McpSocket.BOTH,
              ALICE,
              "Mcp-Session-Id: " + id.getValue())) {
        assertEquals(200, fresh.status(), id.getKey());
        assertNotEquals(id.getValue(), fresh.header("Mcp-Session-Id").orElseThrow());
      }
    }
    assertEquals(2 + ids.size(), gateway.holdings().sessions());
    foreign.post(PING, BOB).expect(200);
    elsewhere.post(PING, ALICE).expect(200);
  }
}
