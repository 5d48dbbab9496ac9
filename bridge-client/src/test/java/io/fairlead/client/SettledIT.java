package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

/** A request is let go as soon as it cannot be sent again, and not before. */
class SettledIT extends LinkBench {
  private static final String NOTE = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}";

  @Test
  void callIsSettledWhenItsStreamBegins() {
    peer.onCall((request, wire) -> wire.sse().stall());
    CallRecorder call = bed.tool(1);
    LinkBed.until(call::isSettled);
  }

  @Test
  void callIsSettledWhenItsAnswerBegins() {
    peer.onCall(
        (request, wire) ->
            wire.raw(
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                        + "Content-Length: 1000\r\n\r\n")
                .stall());
    CallRecorder call = bed.tool(1);
    LinkBed.until(call::isSettled);
  }

  @Test
  void callIsHeldWhenItMayBeProvenThatItDidNotRun() {
    peer.onCall(
        (request, wire) -> {
          peer.forgetSessions();
          wire.respond(404, "Content-Type: application/json\r\n", McpPeer.UNKNOWN_SESSION);
        },
        McpPeer::answerWithResult);
    CallRecorder call = bed.tool(1);
    assertEquals("answer " + McpPeer.result("1"), call.take());
    assertEquals(
        peer.http.posts("tools/call").get(0).body(), peer.http.posts("tools/call").get(1).body());
  }

  @Test
  void readIsHeldWhileItsStreamMayBreak() {
    peer.onCall((request, wire) -> wire.sse().event("x", NOTE).stall());
    CallRecorder read = bed.read(1);
    assertEquals("message " + NOTE, read.take());
    assertFalse(read.isSettled());
  }
}
