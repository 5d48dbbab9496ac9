package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How sessions begin, what they are refused for, and how they end. */
class SessionsIT {
  private static final TestGateway.Holdings NOTHING = new TestGateway.Holdings(0, 0, 0, 0, 0, 0);
  private static final String ACCEPT = "Accept: " + McpSocket.BOTH;
  private static final String PING = McpSession.request("5", "ping", "{}");

  private final ScriptedBackend backend = new ScriptedBackend("demo");
  private TestGateway gateway;

  @AfterEach
  void stop() {
    gateway.close();
  }

  @Test
  @DisplayName(
      "lifecycle 2, 20, 39, 40, 43, 45, streams 23:"
          + " an unknown session is one and the same 404 everywhere")
  void unknownSessionIs404() throws Exception {
    gateway = TestGateway.start("", backend);
    McpSession ended = McpSession.open(gateway.port());
    ended.delete().close();
    String expected = "";
    for (String id : List.of("00000000-0000", "__proto__", "constructor", "../x", ended.id)) {
      for (String verb : List.of("POST", "GET", "DELETE")) {
        try (McpSocket answer = gateway.send(verb, PING, ACCEPT, "Mcp-Session-Id: " + id)) {
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
    try (McpSocket echoed = gateway.send("POST", PING, ACCEPT, "Mcp-Session-Id: gone")) {
      assertTrue(echoed.body().contains("\"id\":5"));
    }
    try (McpSocket none = gateway.send("POST", PING, ACCEPT)) {
      assertEquals(400, none.status());
    }
    assertEquals(NOTHING, gateway.holdings());
  }

  @Test
  @DisplayName("lifecycle 41: a malformed session header is 400 and never reflected")
  void malformedSessionIs400() throws Exception {
    gateway = TestGateway.start("", backend);
    for (String header : List.of("", "a b", "x".repeat(257), "\u00e9")) {
      try (McpSocket answer = gateway.send("POST", PING, ACCEPT, "Mcp-Session-Id: " + header)) {
        assertEquals(400, answer.status());
        assertFalse(header.length() > 2 && answer.body().contains(header));
      }
    }
    try (McpSocket answer =
        gateway.send("POST", PING, ACCEPT, "Mcp-Session-Id: a", "Mcp-Session-Id: b")) {
      assertEquals(400, answer.status());
    }
  }

  @Test
  @DisplayName("lifecycle 44: a session of one endpoint is unknown at another")
  void sessionBelongsToItsEndpoint() throws Exception {
    gateway = TestGateway.start("", backend);
    McpSession alone = McpSession.open(gateway.port(), "/mcp/demo", "2025-11-25");
    try (McpSocket answer = gateway.send("POST", PING, ACCEPT, "Mcp-Session-Id: " + alone.id)) {
      assertEquals(404, answer.status());
    }
    try (McpSocket answer = alone.post(PING)) {
      assertEquals(200, answer.status());
    }
  }

  @Test
  @DisplayName("lifecycle 3, 4, L15, L16, L18: what is refused leaves nothing behind")
  void refusedRequestsLeaveNothing() throws Exception {
    gateway = TestGateway.start("", backend);
    String init = McpSession.initialize("2025-11-25");
    for (int i = 0; i < 30; i++) {
      gateway.send("POST", init, "Accept: image/png").expect(406);
      gateway.send("POST", "{", ACCEPT).expect(400);
      gateway.send("POST", "[]", ACCEPT).expect(400);
      gateway.send("POST", init.replace("\"2025-11-25\"", "7"), ACCEPT).expect(400);
      gateway.send("POST", init.replace("clientInfo", "clientInf"), ACCEPT).expect(400);
      gateway.send("POST", init, ACCEPT, "Origin: http://evil.example").expect(403);
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
  @DisplayName("lifecycle 5, 11: no session when no backend is up, and one when it is")
  void initializeNeedsABackend() throws Exception {
    backend.refuses = true;
    gateway = TestGateway.start("", backend);
    try (McpSocket answer = gateway.send("POST", McpSession.initialize("2025-11-25"), ACCEPT)) {
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
    gateway = TestGateway.start("", backend);
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
    gateway = TestGateway.start("", backend);
    McpSession session = McpSession.open(gateway.port());
    try (McpSocket again = session.post(McpSession.initialize("2025-11-25"))) {
      assertEquals(400, again.status());
      assertTrue(again.header("mcp-session-id").isEmpty());
      assertTrue(again.body().contains("-32600"));
    }
    try (McpSocket ping = session.post(PING)) {
      assertEquals(200, ping.status());
    }
    try (McpSocket fresh =
        gateway.send(
            "POST", McpSession.initialize("2025-11-25"), ACCEPT, "Mcp-Session-Id: stale")) {
      assertEquals(200, fresh.status());
      assertNotEquals("stale", fresh.header("mcp-session-id").orElseThrow());
    }
  }

  @Test
  @DisplayName("lifecycle 17, 20, L22: an idle time shorter than the call does not end it")
  void callOutlivesTheIdleTime() throws Exception {
    gateway = TestGateway.start("sessions.idle-timeout = 1s", backend);
    McpSession session = McpSession.open(gateway.port());
    McpSocket post = session.post(McpSession.call("1"));
    OpenCall call = backend.nextCall();
    McpSession other = McpSession.open(gateway.port());
    TestGateway.until("the other expires", () -> gateway.holdings().sessions() == 1);
    other.post(PING).expect(404);
    call.answer("late");
    assertTrue(post.message().data().contains("late"));
    session.post(PING).expect(200);
    TestGateway.until("it expires too", () -> gateway.holdings().equals(NOTHING));
    session.post(PING).expect(404);
  }

  @Test
  @DisplayName("lifecycle 18: an open stream keeps the session; its end starts the idle time")
  void openStreamIsPresence() throws Exception {
    gateway = TestGateway.start("sessions.idle-timeout = 1s", backend);
    McpSession kept = McpSession.open(gateway.port());
    McpSocket stream = kept.get();
    assertEquals(200, stream.status());
    for (int i = 0; i < 3; i++) {
      McpSession other = McpSession.open(gateway.port());
      TestGateway.until("others expire", () -> gateway.holdings().sessions() == 1);
      other.post(PING).expect(404);
    }
    kept.post(PING).expect(200);
    stream.close();
    TestGateway.until("it expires", () -> gateway.holdings().equals(NOTHING));
  }

  @Test
  @DisplayName("lifecycle 17, 23: work without its client is cancelled after the abandon time")
  void abandonedCallIsCancelled() throws Exception {
    gateway =
        TestGateway.start("sessions { abandon-timeout = 300ms, idle-timeout = 100ms }", backend);
    McpSession session = McpSession.open(gateway.port());
    McpSocket post = session.post(McpSession.call("1"));
    post.next();
    OpenCall call = backend.nextCall();
    post.reset();
    assertEquals("abandoned", call.cancelled.take());
    TestGateway.until("it is gone", () -> gateway.holdings().equals(NOTHING));
  }

  @Test
  @DisplayName("lifecycle 27: at its maximum age a session ends, never within a request")
  void sessionEndsAtItsMaximumAge() throws Exception {
    gateway = TestGateway.start("sessions.max-age = 1s", backend);
    McpSession idle = McpSession.open(gateway.port());
    McpSocket standalone = idle.get();
    assertEquals(200, standalone.status());
    McpSession busy = McpSession.open(gateway.port());
    McpSocket post = busy.post(McpSession.call("1"));
    OpenCall call = backend.nextCall();
    assertEquals(List.of(), standalone.rest());
    idle.post(PING).expect(404);
    TestGateway.until("nothing new begins", () -> isRefused(busy));
    assertEquals(1, gateway.holdings().calls());
    call.note("still there");
    call.answer("in its own time");
    List<McpSocket.Event> events = post.rest();
    assertEquals(2, events.size());
    assertTrue(events.get(1).data().contains("in its own time"));
    TestGateway.until("it is gone", () -> gateway.holdings().equals(NOTHING));
    busy.get().expect(404);
    busy.delete().expect(404);
    McpSession.open(gateway.port());
  }

  private static boolean isRefused(McpSession session) {
    try (McpSocket ping = session.post(PING)) {
      return ping.status() == 404;
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  @DisplayName("lifecycle 10: a session that nobody goes on to use is removed")
  void unconfirmedSessionIsRemoved() throws Exception {
    gateway = TestGateway.start("sessions.initialized-timeout = 1s", backend);
    try (McpSocket init = gateway.send("POST", McpSession.initialize("2025-11-25"), ACCEPT)) {
      String id = init.header("mcp-session-id").orElseThrow();
      TestGateway.until("it is removed", () -> gateway.holdings().equals(NOTHING));
      gateway.send("POST", PING, ACCEPT, "Mcp-Session-Id: " + id).expect(404);
    }
  }

  @Test
  @DisplayName("lifecycle 29, 30, 33: at the cap the longest idle session goes, busy ones never")
  void capEvictsTheLongestIdle() throws Exception {
    gateway = TestGateway.start("sessions.max = 2", backend);
    McpSession first = McpSession.open(gateway.port());
    McpSession second = McpSession.open(gateway.port());
    first.post(PING).expect(200);
    McpSession third = McpSession.open(gateway.port());
    second.post(PING).expect(404);
    List<McpSocket> open = new ArrayList<>();
    for (McpSession busy : List.of(first, third)) {
      McpSocket stream = busy.get();
      assertEquals(200, stream.status());
      open.add(stream);
    }
    try (McpSocket refused = gateway.send("POST", McpSession.initialize("2025-11-25"), ACCEPT)) {
      assertEquals(503, refused.status());
      assertTrue(refused.header("retry-after").isPresent());
      assertTrue(refused.header("mcp-session-id").isEmpty());
    }
    first.post(PING).expect(200);
    open.get(1).close();
    TestGateway.until("its stream is gone", () -> gateway.holdings().sinks() == 1);
    McpSession.open(gateway.port());
    third.post(PING).expect(404);
  }

  @Test
  @DisplayName("lifecycle 36: calls per session are bounded, the next is refused and runs nowhere")
  void callsPerSessionAreBounded() throws Exception {
    gateway = TestGateway.start("limits.calls-per-session = 2", backend);
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
