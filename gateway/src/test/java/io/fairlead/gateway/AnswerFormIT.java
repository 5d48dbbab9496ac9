package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What decides between JSON, a stream, a batch and a refusal. */
class AnswerFormIT extends GatewayBench {
  @Test
  @DisplayName("lifecycle 65: a batch is answered in a session of 2025-03-26 alone")
  void batchesBelongToOneRevision() throws Exception {
    start("");
    String batch = "[" + PING + "," + McpSession.request("6", "tools/list", "{}") + "]";
    McpSession old = McpSession.open(gateway.port(), "/mcp", "2025-03-26");
    try (McpSocket answer = old.post(batch)) {
      assertEquals(200, answer.status());
      String body = answer.body();
      assertTrue(body.startsWith("[") && body.contains("\"id\":5") && body.contains("\"id\":6"));
    }
    old.post("[]").expect(400);
    old.post("[" + (PING + ",").repeat(100) + PING + "]").expect(400);
    McpSession recent = McpSession.open(gateway.port());
    recent.post(batch).expect(400);
  }

  @Test
  @DisplayName("lifecycle 74: a batch is JSON, and refused before it runs where that is not taken")
  void batchIsRefusedWhereItsFormIsNotTaken() throws Exception {
    start("");
    McpSession old = McpSession.open(gateway.port(), "/mcp", "2025-03-26");
    String batch = "[" + McpSession.call("1") + "]";
    old.postTaking("text/event-stream", batch).expect(406);
    old.postTaking("application/json;q=0, */*", batch).expect(406);
    assertTrue(backend.isQuiet());
    old.postTaking("text/event-stream, application/json", "[" + PING + "]").expect(200);
  }

  @Test
  @DisplayName("lifecycle 74: a weight of 0 means that a form is not taken")
  void weightOfZeroRefusesAForm() throws Exception {
    start("");
    McpSession session = McpSession.open(gateway.port());
    McpSocket stream = session.postTaking("application/json;q=0, text/event-stream;q=0.1", PING);
    assertEquals("text/event-stream", stream.header("content-type").orElseThrow());
    McpSocket json = session.postTaking("text/event-stream; Q=0.000, application/json", PING);
    assertEquals("application/json", json.header("content-type").orElseThrow());
    McpSocket rest = session.postTaking("text/event-stream;q=0, */*;q=0.001", PING);
    assertEquals("application/json", rest.header("content-type").orElseThrow());
    for (String nothing : List.of("text/event-stream;q=0", "*/*;q=0.0", "application/json;q=0")) {
      session.postTaking(nothing, PING).expect(406);
    }
  }

  @Test
  @DisplayName("lifecycle 74: what Accept says decides between JSON, a stream and a refusal")
  void acceptDecidesTheForm() throws Exception {
    start("");
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
  @DisplayName("lifecycle 16, 75: the version header must be spoken and be the negotiated one")
  void versionHeaderIsChecked() throws Exception {
    start("");
    McpSession session = McpSession.open(gateway.port());
    session.post(PING, "MCP-Protocol-Version: 2025-11-25").expect(200);
    session.post(PING, "MCP-Protocol-Version: 2025-06-18").expect(400);
    try (McpSocket unsupported = session.post(PING, "MCP-Protocol-Version: 1999-01-01")) {
      assertEquals(400, unsupported.status());
      assertTrue(unsupported.body().contains("-32000"));
    }
    send("POST", INITIALIZE, "MCP-Protocol-Version: 1999-01-01").expect(200);
    session.get("MCP-Protocol-Version: 1999-01-01").expect(400);
    try (McpSocket modern = send("POST", PING, "MCP-Protocol-Version: 2026-07-28")) {
      assertEquals(400, modern.status());
      String body = modern.body();
      assertTrue(body.contains("-32600") && body.contains("2025-11-25"), body);
    }
    try (McpSocket unknown = send("POST", McpSession.initialize("2030-01-01"))) {
      assertTrue(unknown.body().contains("\"protocolVersion\":\"2025-11-25\""));
    }
  }

  @Test
  @DisplayName("lifecycle 49: stateless mode keeps nothing and has no GET")
  void statelessKeepsNothing() throws Exception {
    start("sessions.mode = stateless");
    try (McpSocket init = send("POST", INITIALIZE)) {
      assertEquals(200, init.status());
      assertTrue(init.header("mcp-session-id").isEmpty());
      assertFalse(init.body().contains("listChanged"));
    }
    McpSocket call = send("POST", McpSession.call("9"));
    backend.nextCall().answer("x");
    McpSocket.Event event = call.message();
    assertEquals("", event.id());
    assertTrue(event.data().contains("\"id\":9"));
    try (McpSocket get = gateway.send("GET", "", "Accept: text/event-stream")) {
      assertEquals(405, get.status());
      assertTrue(get.header("allow").isPresent());
    }
    TestGateway.until("nothing is kept", () -> gateway.holdings().equals(NOTHING));
  }
}
