package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How sessions begin, and what they and their requests are refused for. */
class SessionsIT extends GatewayBench {
  @Test
  @DisplayName(
      "lifecycle 2, 20, 39, 40, 45, streams 23:"
          + " an unknown session is one and the same 404 everywhere")
  void unknownSessionIs404() throws Exception {
    start("");
    McpSession ended = McpSession.open(gateway.port());
    ended.delete().close();
    String expected = "";
    for (String id : List.of("00000000-0000", "__proto__", "constructor", "../x", ended.id)) {
      for (String verb : List.of("POST", "GET", "DELETE")) {
        try (McpSocket answer = send(verb, PING, "Mcp-Session-Id: " + id)) {
          assertEquals(404, answer.status(), verb + " " + id);
          String body = answer.body().replace("\"id\":5", "\"id\":null");
          assertTrue(body.contains("\"code\":-32001"), body);
          assertTrue(body.contains("\"dispatched\":false"), body);
          assertEquals("application/json", answer.header("content-type").orElse(""));
          assertTrue(expected.isEmpty() || expected.equals(body), body);
          expected = body;
        }
      }
    }
    try (McpSocket echoed = send("POST", PING, "Mcp-Session-Id: gone")) {
      assertTrue(echoed.body().contains("\"id\":5"));
    }
    try (McpSocket none = send("POST", PING)) {
      assertEquals(400, none.status());
    }
    assertEquals(NOTHING, gateway.holdings());
  }

  @Test
  @DisplayName("lifecycle 41: a malformed session header is 400 and never reflected")
  void malformedSessionIs400() throws Exception {
    start("");
    for (String header : List.of("", "a b", "x".repeat(257), "\u00e9")) {
      try (McpSocket answer = send("POST", PING, "Mcp-Session-Id: " + header)) {
        assertEquals(400, answer.status());
        assertFalse(header.length() > 2 && answer.body().contains(header));
      }
    }
    try (McpSocket answer = send("POST", PING, "Mcp-Session-Id: a", "Mcp-Session-Id: b")) {
      assertEquals(400, answer.status());
    }
  }

  @Test
  @DisplayName("lifecycle 44: a session of one endpoint is unknown at another")
  void sessionBelongsToItsEndpoint() throws Exception {
    start("");
    McpSession alone = McpSession.open(gateway.port(), "/mcp/demo", "2025-11-25");
    try (McpSocket answer = send("POST", PING, "Mcp-Session-Id: " + alone.id)) {
      assertEquals(404, answer.status());
    }
    try (McpSocket answer = alone.post(PING)) {
      assertEquals(200, answer.status());
    }
  }

  @Test
  @DisplayName("lifecycle 3, 4, L15, L16, L18: what is refused leaves nothing behind")
  void refusedRequestsLeaveNothing() throws Exception {
    start("");
    for (int i = 0; i < 30; i++) {
      gateway.send("POST", INITIALIZE, "Accept: image/png").expect(406);
      send("POST", "{").expect(400);
      send("POST", "[]").expect(400);
      send("POST", INITIALIZE.replace("\"2025-11-25\"", "7")).expect(400);
      send("POST", INITIALIZE.replace("clientInfo", "clientInf")).expect(400);
      send("POST", INITIALIZE, "Origin: http://evil.example").expect(403);
      gateway.send("PUT", "").expect(405);
      gateway.send("GET", "", "Accept: application/json").expect(406);
      gateway.send("GET", "", "Accept: text/event-stream").expect(400);
      gateway.send("DELETE", "").expect(400);
      McpSocket.send(gateway.port(), "GET", "/nowhere", "").expect(404);
      McpSocket.send(gateway.port(), "GET", "/mcp/nobody", "").expect(404);
    }
    assertEquals(NOTHING, gateway.holdings());
  }

  @Test
  @DisplayName("lifecycle 5: no session when no backend is up, and one when it is")
  void initializeNeedsABackend() throws Exception {
    backend.refuses = true;
    start("");
    try (McpSocket answer = send("POST", INITIALIZE)) {
      assertEquals(502, answer.status());
      assertTrue(answer.header("mcp-session-id").isEmpty());
      assertTrue(answer.body().contains("backend_unavailable"));
    }
    assertEquals(NOTHING, gateway.holdings());
    backend.refuses = false;
    TestGateway.until(
        "the backend is up", () -> gateway.read(p -> p.services().catalog().state("demo").isUp()));
    McpSession.open(gateway.port());
    assertEquals(1, gateway.holdings().sessions());
  }

  @Test
  @DisplayName("lifecycle 7: a client that leaves in the middle of its body leaves nothing")
  void halfBodyLeavesNothing() throws Exception {
    start("");
    McpSession session = McpSession.open(gateway.port());
    for (int i = 0; i < 20; i++) {
      McpSocket post =
          McpSocket.send(
              gateway.port(),
              "GET",
              "/mcp",
              "",
              "Accept: text/event-stream",
              "Mcp-Session-Id: " + session.id);
      post.reset();
      try (Socket raw = new Socket("127.0.0.1", gateway.port())) {
        raw.getOutputStream()
            .write(
                ("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Accept: */*\r\nContent-Length: 1000\r\n\r\n{\"a")
                    .getBytes(StandardCharsets.US_ASCII));
        raw.setSoLinger(true, 0);
      }
    }
    TestGateway.until("sinks end", () -> gateway.holdings().sinks() == 0);
    assertEquals(1, gateway.holdings().sessions());
    assertEquals(0, gateway.holdings().calls());
  }

  @Test
  @DisplayName("lifecycle 14, 15: a second initialize is refused, one with a dead id begins anew")
  void initializeTwice() throws Exception {
    start("");
    McpSession session = McpSession.open(gateway.port());
    try (McpSocket again = session.post(INITIALIZE)) {
      assertEquals(400, again.status());
      assertTrue(again.header("mcp-session-id").isEmpty());
      assertTrue(again.body().contains("-32600"));
    }
    try (McpSocket ping = session.post(PING)) {
      assertEquals(200, ping.status());
    }
    try (McpSocket fresh = send("POST", INITIALIZE, "Mcp-Session-Id: stale")) {
      assertEquals(200, fresh.status());
      assertNotEquals("stale", fresh.header("mcp-session-id").orElseThrow());
    }
  }

  @Test
  @DisplayName("lifecycle 36: calls per session are bounded, the next is refused and runs nowhere")
  void callsPerSessionAreBounded() throws Exception {
    start("limits.calls-per-session = 2");
    McpSession session = McpSession.open(gateway.port());
    McpSocket one = session.post(McpSession.call("1"));
    OpenCall first = backend.nextCall();
    session.post(McpSession.call("2"));
    backend.nextCall();
    try (McpSocket refused = session.post(McpSession.call("3"))) {
      assertEquals(503, refused.status());
      assertTrue(refused.body().contains("\"reason\":\"overloaded\""));
    }
    assertTrue(backend.isQuiet());
    first.answer("x");
    one.message();
    session.post(McpSession.call("4"));
    backend.nextCall();
  }
}
