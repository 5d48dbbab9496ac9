package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A link opens with one handshake or fails in bounded time (streams 30, 42). */
class HandshakeIT {
  private McpPeer peer;

  @BeforeEach
  void open() throws Exception {
    peer = new McpPeer();
  }

  @AfterEach
  void close() throws Exception {
    peer.close();
  }

  private static String initialized(String id, String version) {
    return "{\"jsonrpc\":\"2.0\",\"id\":"
        + id
        + ",\"result\":{\"protocolVersion\":\""
        + version
        + "\",\"capabilities\":{},\"serverInfo\":{\"name\":\"p\",\"version\":\"1\"}}}";
  }

  private LinkFailure failure() {
    LinkFailure failure = assertThrows(LinkFailure.class, () -> new LinkBed(peer.http.url()));
    assertEquals(1, peer.http.posts("initialize").size());
    assertFalse(failure.getMessage().contains("127.0.0.1"), failure.getMessage());
    assertFalse(failure.getMessage().contains("canary"), failure.getMessage());
    return failure;
  }

  /** The answer may be a stream that is primed, with other messages before it. */
  @Test
  void handshakeIsReadFromAStream() {
    peer.onInitialize(
        (request, wire) ->
            wire.sse("Mcp-Session-Id: session-x\r\n")
                .chunk("id: 0\ndata:\n\n")
                .event("1", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}")
                .event("2", initialized(request.id(), "2025-06-18"))
                .stall());
    peer.onUnknownSession((request, wire) -> wire.accepted());
    try (LinkBed bed = new LinkBed(peer.http.url())) {
      assertTrue(new String(bed.link.initializeResult()).startsWith("{\"protocolVersion\""));
      FaultyPeer.Request confirmed = peer.http.posts("notifications/initialized").get(0);
      assertEquals(Optional.of("session-x"), confirmed.header("Mcp-Session-Id"));
      assertEquals(Optional.of("2025-06-18"), confirmed.header("MCP-Protocol-Version"));
      assertEquals(
          Optional.empty(), peer.http.posts("initialize").get(0).header("MCP-Protocol-Version"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "401,true",
    "403,true",
    "400,true",
    "405,true",
    "404,false",
    "429,false",
    "500,false",
    "503,false",
    "302,false",
    "202,false"
  })
  void handshakeFailsWhenServerAnswersWithStatus(int status, boolean refusal) {
    peer.onInitialize((request, wire) -> wire.respond(status, "", "canary"));
    LinkFailure failure = failure();
    assertEquals("backend_unavailable", failure.reason());
    assertEquals(refusal, failure.isRefusal());
    assertTrue(failure.getMessage().contains("status=" + status), failure.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"error\":{\"code\":-32602,\"message\":\"canary\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":\"canary\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":[]}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
        "canary"
      })
  void handshakeFailsWhenAnswerIsNone(String body) {
    peer.onInitialize((request, wire) -> wire.json(body));
    failure();
  }

  @Test
  void handshakeFailsWhenConnectionIsCut() {
    peer.onInitialize((request, wire) -> wire.rst());
    assertFalse(failure().isRefusal());
  }

  /** lifecycle 1: an id that could break a header is not taken. */
  @ParameterizedTest
  @ValueSource(strings = {"a b", "\u00fc"})
  void handshakeFailsWhenSessionIdIsNotVisibleAscii(String id) {
    peer.onInitialize(
        (request, wire) ->
            wire.respond(
                200,
                "Content-Type: application/json\r\nMcp-Session-Id: " + id + "\r\n",
                initialized("0", "2025-11-25")));
    failure();
  }

  /** lifecycle 5: a session that was opened for nothing is ended. */
  @Test
  void sessionIsEndedWhenItsConfirmationFails() {
    peer.onInitialize(
        (request, wire) -> {
          peer.initialize(request, wire);
          peer.forgetSessions();
        });
    failure();
    LinkBed.until(
        () ->
            peer.http.requests().stream()
                .filter(request -> request.method().equals("DELETE"))
                .anyMatch(request -> request.header("Mcp-Session-Id").isPresent()));
  }

  /** A server without sessions is served without them. */
  @Test
  void callIsSentWithoutSessionWhenServerGaveNone() {
    peer.onInitialize((request, wire) -> wire.json(initialized("0", "2025-03-26")));
    peer.onUnknownSession(
        (request, wire) -> {
          if (request.id().isEmpty()) {
            wire.accepted();
          } else {
            wire.json(McpPeer.result(request));
          }
        });
    try (LinkBed bed = new LinkBed(peer.http.url())) {
      assertEquals("answer " + McpPeer.result("1"), bed.tool(1).take());
      assertEquals(Optional.empty(), peer.http.posts("tools/call").get(0).header("Mcp-Session-Id"));
    }
    assertEquals(
        List.of(), peer.http.requests().stream().filter(r -> r.method().equals("DELETE")).toList());
  }
}
