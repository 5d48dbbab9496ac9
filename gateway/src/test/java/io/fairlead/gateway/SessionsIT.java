package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How sessions begin, what they are refused for, and how they end. */
class SessionsIT {
  private static final TestGateway.Holdings NOTHING = new TestGateway.Holdings(0, 0, 0, 0, 0, 0);
  private static final String PING = McpSession.request("5", "ping", "{}");

  private final ScriptedBackend backend = new ScriptedBackend("demo");
  private TestGateway gateway;

  @AfterEach
  void stop() {
    gateway.close();
  }

  private McpSocket send(String verb, String body, String... headers) throws Exception {
    return McpSocket.send(gateway.port(), verb, "/mcp", body, headers);
  }

  private static String accept() {
    return "Accept: " + McpSocket.BOTH;
  }

  @Test
  @DisplayName("lifecycle 39, 40, 43, 45: an unknown session is one and the same 404 everywhere")
  void unknownSessionIs404() throws Exception {
    gateway = TestGateway.start("", backend);
    McpSession ended = McpSession.open(gateway.port());
    ended.delete().close();
    String expected = "";
    for (String id : List.of("00000000-0000", "__proto__", "constructor", "../x", ended.id)) {
      for (String verb : List.of("POST", "GET", "DELETE")) {
        try (McpSocket answer = send(verb, PING, accept(), "Mcp-Session-Id: " + id)) {
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
    try (McpSocket echoed = send("POST", PING, accept(), "Mcp-Session-Id: gone")) {
      assertTrue(echoed.body().contains("\"id\":5"));
    }
    try (McpSocket none = send("POST", PING, accept())) {
      assertEquals(400, none.status());
    }
    assertEquals(NOTHING, gateway.holdings());
  }

  @Test
  @DisplayName("lifecycle 41: a malformed session header is 400 and never reflected")
  void malformedSessionIs400() throws Exception {
    gateway = TestGateway.start("", backend);
    for (String header : List.of("", "a b", "x".repeat(257), "\u00e9")) {
      try (McpSocket answer = send("POST", PING, accept(), "Mcp-Session-Id: " + header)) {
        assertEquals(400, answer.status());
        assertFalse(header.length() > 2 && answer.body().contains(header));
      }
    }
    try (McpSocket answer =
        send("POST", PING, accept(), "Mcp-Session-Id: a", "Mcp-Session-Id: b")) {
      assertEquals(400, answer.status());
    }
  }

  @Test
  @DisplayName("lifecycle 44: a session of one endpoint is unknown at another")
  void sessionBelongsToItsEndpoint() throws Exception {
    gateway = TestGateway.start("", backend);
    McpSession alone = McpSession.open(gateway.port(), "/mcp/demo", "2025-11-25");
    try (McpSocket answer = send("POST", PING, accept(), "Mcp-Session-Id: " + alone.id)) {
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
      expect(406, send("POST", init, "Accept: image/png"));
      expect(400, send("POST", "{", accept()));
      expect(400, send("POST", "[]", accept()));
      expect(400, send("POST", init.replace("\"2025-11-25\"", "7"), accept()));
      expect(400, send("POST", init.replace("clientInfo", "clientInf"), accept()));
      expect(403, send("POST", init, accept(), "Origin: http://evil.example"));
      expect(405, send("PUT", ""));
      expect(406, send("GET", "", "Accept: application/json"));
      expect(400, send("GET", "", "Accept: text/event-stream"));
      expect(400, send("DELETE", ""));
      expect(404, McpSocket.send(gateway.port(), "GET", "/nowhere", ""));
      expect(404, McpSocket.send(gateway.port(), "GET", "/mcp/nobody", ""));
    }
    assertEquals(NOTHING, gateway.holdings());
  }

  private static void expect(int status, McpSocket answer) throws Exception {
    try (answer) {
      assertEquals(status, answer.status(), () -> "instead: " + answer);
    }
  }

  @Test
  @DisplayName("lifecycle 5, 11: no session when no backend is up, and one when it is")
  void initializeNeedsABackend() throws Exception {
    backend.refuses = true;
    gateway = TestGateway.start("", backend);
    try (McpSocket answer = send("POST", McpSession.initialize("2025-11-25"), accept())) {
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
      McpSocket half =
          send("PUT", "", "Content-Length: 0"); // a connection of its own, then the real thing
      half.close();
      McpSocket post =
          McpSocket.send(
              gateway.port(),
              "GET",
              "/mcp",
              "",
              "Accept: text/event-stream",
              "Mcp-Session-Id: " + session.id);
      post.reset();
      try (java.net.Socket raw = new java.net.Socket("127.0.0.1", gateway.port())) {
        raw.getOutputStream()
            .write(
                ("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Accept: */*\r\nContent-Length: 1000\r\n\r\n{\"a")
                    .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
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
        send("POST", McpSession.initialize("2025-11-25"), accept(), "Mcp-Session-Id: stale")) {
      assertEquals(200, fresh.status());
      assertNotEquals("stale", fresh.header("mcp-session-id").orElseThrow());
    }
  }

  @Test
  @DisplayName("lifecycle 17, L22: an idle time shorter than the call does not end it")
  void callOutlivesTheIdleTime() throws Exception {
    gateway = TestGateway.start("sessions.idle-timeout = 300ms", backend);
    McpSession session = McpSession.open(gateway.port());
    McpSocket post = session.post(McpSession.call("1"));
    OpenCall call = backend.nextCall();
    McpSession other = McpSession.open(gateway.port());
    TestGateway.until("the other expires", () -> gateway.holdings().sessions() == 1);
    expect(404, other.post(PING));
    call.answer("late");
    assertTrue(post.message().data().contains("late"));
    expect(200, session.post(PING));
    TestGateway.until("it expires too", () -> gateway.holdings().equals(NOTHING));
    expect(404, session.post(PING));
  }

  @Test
  @DisplayName("lifecycle 18: an open stream keeps the session; its end starts the idle time")
  void openStreamIsPresence() throws Exception {
    gateway = TestGateway.start("sessions.idle-timeout = 300ms", backend);
    McpSession kept = McpSession.open(gateway.port());
    McpSocket stream = kept.get();
    assertEquals(200, stream.status());
    for (int i = 0; i < 5; i++) {
      McpSession other = McpSession.open(gateway.port());
      TestGateway.until("others expire", () -> gateway.holdings().sessions() == 1);
      expect(404, other.post(PING));
    }
    expect(200, kept.post(PING));
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
  @DisplayName("lifecycle 10: a session that nobody goes on to use is removed")
  void unconfirmedSessionIsRemoved() throws Exception {
    gateway = TestGateway.start("sessions.initialized-timeout = 300ms", backend);
    try (McpSocket init = send("POST", McpSession.initialize("2025-11-25"), accept())) {
      String id = init.header("mcp-session-id").orElseThrow();
      TestGateway.until("it is removed", () -> gateway.holdings().equals(NOTHING));
      expect(404, send("POST", PING, accept(), "Mcp-Session-Id: " + id));
    }
  }

  @Test
  @DisplayName("lifecycle 29, 30, 33: at the cap the longest idle session goes, busy ones never")
  void capEvictsTheLongestIdle() throws Exception {
    gateway = TestGateway.start("sessions.max = 2", backend);
    McpSession first = McpSession.open(gateway.port());
    McpSession second = McpSession.open(gateway.port());
    expect(200, first.post(PING));
    McpSession third = McpSession.open(gateway.port());
    expect(404, second.post(PING));
    List<McpSocket> open = new ArrayList<>();
    for (McpSession busy : List.of(first, third)) {
      McpSocket stream = busy.get();
      assertEquals(200, stream.status());
      open.add(stream);
    }
    try (McpSocket refused = send("POST", McpSession.initialize("2025-11-25"), accept())) {
      assertEquals(503, refused.status());
      assertTrue(refused.header("retry-after").isPresent());
      assertTrue(refused.header("mcp-session-id").isEmpty());
    }
    expect(200, first.post(PING));
    open.get(1).close();
    TestGateway.until("its stream is gone", () -> gateway.holdings().sinks() == 1);
    McpSession.open(gateway.port());
    expect(404, third.post(PING));
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

  @Test
  @DisplayName("lifecycle 65: a batch is answered in a session of 2025-03-26 alone")
  void batchesBelongToOneRevision() throws Exception {
    gateway = TestGateway.start("", backend);
    String batch = "[" + PING + "," + McpSession.request("6", "tools/list", "{}") + "]";
    McpSession old = McpSession.open(gateway.port(), "/mcp", "2025-03-26");
    try (McpSocket answer = old.post(batch)) {
      assertEquals(200, answer.status());
      String body = answer.body();
      assertTrue(body.startsWith("[") && body.contains("\"id\":5") && body.contains("\"id\":6"));
    }
    expect(400, old.post("[]"));
    expect(400, old.post("[" + (PING + ",").repeat(100) + PING + "]"));
    McpSession recent = McpSession.open(gateway.port());
    expect(400, recent.post(batch));
  }

  @Test
  @DisplayName("lifecycle 74: what Accept says decides between JSON, a stream and a refusal")
  void acceptDecidesTheForm() throws Exception {
    gateway = TestGateway.start("", backend);
    McpSession session = McpSession.open(gateway.port());
    for (String json : List.of("application/json", "*/*", "application/*")) {
      McpSocket answer = session.postTaking(json, McpSession.call("1"));
      OpenCall call = backend.nextCall();
      call.note("lost, for there is no stream");
      call.answer("x");
      assertEquals("application/json", answer.header("content-type").orElseThrow());
      assertTrue(answer.body().contains("\"x\""));
    }
    McpSocket stream = session.postTaking("text/event-stream", PING);
    assertEquals("text/event-stream", stream.header("content-type").orElseThrow());
    assertTrue(stream.message().data().contains("\"id\":5"));
    McpSocket list = session.post(McpSession.request("1", "tools/list", "{}"));
    assertEquals("application/json", list.header("content-type").orElseThrow());
    McpSocket read =
        session.post(McpSession.request("1", "resources/read", "{\"uri\":\"test://r\"}"));
    OpenCall reading = backend.nextCall();
    reading.note("first");
    reading.answer("x");
    assertEquals("text/event-stream", read.header("content-type").orElseThrow());
    assertEquals(2, read.rest().size());
  }

  @Test
  @DisplayName("lifecycle 75: the version header must be spoken and be the negotiated one")
  void versionHeaderIsChecked() throws Exception {
    gateway = TestGateway.start("", backend);
    McpSession session = McpSession.open(gateway.port());
    expect(200, session.post(PING, "MCP-Protocol-Version: 2025-11-25"));
    expect(400, session.post(PING, "MCP-Protocol-Version: 2025-06-18"));
    expect(400, session.post(PING, "MCP-Protocol-Version: 1999-01-01"));
    expect(400, session.get("MCP-Protocol-Version: 1999-01-01"));
    try (McpSocket modern = send("POST", PING, accept(), "MCP-Protocol-Version: 2026-07-28")) {
      assertEquals(400, modern.status());
      String body = modern.body();
      assertTrue(body.contains("-32600") && body.contains("2025-11-25"), body);
    }
    try (McpSocket unknown = send("POST", McpSession.initialize("2030-01-01"), accept())) {
      assertTrue(unknown.body().contains("\"protocolVersion\":\"2025-11-25\""));
    }
  }

  @Test
  @DisplayName("streams 23, contract: stateless mode keeps nothing and has no GET")
  void statelessKeepsNothing() throws Exception {
    gateway = TestGateway.start("sessions.mode = stateless", backend);
    try (McpSocket init = send("POST", McpSession.initialize("2025-11-25"), accept())) {
      assertEquals(200, init.status());
      assertTrue(init.header("mcp-session-id").isEmpty());
      assertFalse(init.body().contains("listChanged"));
    }
    McpSocket call = send("POST", McpSession.call("9"), accept());
    backend.nextCall().answer("x");
    McpSocket.Event event = call.message();
    assertEquals("", event.id());
    assertTrue(event.data().contains("\"id\":9"));
    try (McpSocket get = send("GET", "", "Accept: text/event-stream")) {
      assertEquals(405, get.status());
      assertTrue(get.header("allow").isPresent());
    }
    TestGateway.until("nothing is kept", () -> gateway.holdings().equals(NOTHING));
  }

  @Test
  @DisplayName("lifecycle 115, 116: drain lets calls finish, ends streams, then refuses")
  void drainLetsCallsFinish() throws Exception {
    gateway = TestGateway.start("shutdown.drain = 5s", backend);
    McpSession session = McpSession.open(gateway.port());
    McpSocket standalone = session.get();
    assertEquals(200, standalone.status());
    McpSocket post = session.post(McpSession.call("1"));
    OpenCall call = backend.nextCall();
    Thread draining = new Thread(gateway::drain);
    draining.start();
    List<McpSocket.Event> last = new ArrayList<>();
    standalone.next().ifPresent(last::add);
    while (last.get(last.size() - 1).retry().isEmpty()) {
      last.add(standalone.next().orElseThrow());
    }
    assertEquals(List.of(), standalone.rest());
    call.answer("just in time");
    assertTrue(post.message().data().contains("just in time"));
    draining.join(10_000);
    assertFalse(draining.isAlive());
  }

  @Test
  @DisplayName("lifecycle 115: a call that outlasts the drain is told so, on a terminated stream")
  void drainAnswersWhatOutlastsIt() throws Exception {
    gateway = TestGateway.start("", backend);
    McpSession session = McpSession.open(gateway.port());
    McpSocket post = session.post(McpSession.call("1"));
    OpenCall call = backend.nextCall();
    gateway.drain();
    List<McpSocket.Event> events = post.rest();
    assertTrue(events.get(0).data().contains("\"state\":\"unknown\""), events.toString());
    assertTrue(events.get(0).data().contains("\"reason\":\"draining\""));
    assertEquals(1, call.cancelled.size());
  }
}
