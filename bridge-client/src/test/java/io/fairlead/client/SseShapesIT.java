package io.fairlead.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every shape of event stream that servers send is read (streams 24, 48). */
class SseShapesIT extends LinkBench {
  private static final String NOTE =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\"\u00fc \ud83d\ude80\"}}";

  /** Priming, comments everywhere, unknown fields and types, and the answer in two lines. */
  private static final String STREAM =
      "id: p\nretry: 40\ndata:\n\n"
          + ": comment\n\nevent: message\n: inside\nid: a\ndata: "
          + NOTE
          + "\nfoo: bar\n\n: between\nevent: ping\ndata: not json\n\n"
          + "id: b\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\ndata: \"result\":{\"ok\":true}}\n\n";

  private static String answer() {
    return "answer {\"jsonrpc\":\"2.0\",\"id\":1,\n\"result\":{\"ok\":true}}";
  }

  private void assertRead(CallRecorder call) {
    assertEquals("message " + NOTE, call.take());
    assertEquals(answer(), call.take());
    assertEquals(List.of(), call.takeAll());
  }

  /** field reports B84, B94, B103: comments, empty data, and each kind of line end. */
  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r", "mixed"})
  void streamIsReadWithEveryLineEnd(String lineEnd) {
    String text = STREAM.replace("\n", lineEnd.equals("mixed") ? "\n" : lineEnd);
    if (lineEnd.equals("mixed")) {
      text = text.replaceFirst("\n", "\r\n").replaceFirst("\n: between", "\r: between");
    }
    byte[] bytes = ("\ufeff" + text).getBytes(UTF_8);
    peer.onCall((request, wire) -> wire.sse().chunk(bytes).end());
    assertRead(bed.tool(1));
  }

  /** field reports B102, B105, B109: split at every byte, also inside CRLF and inside a rune. */
  @Test
  void streamIsReadWhenSplitAtEveryByte() {
    byte[] bytes = STREAM.replace("\n", "\r\n").getBytes(UTF_8);
    for (int at = 1; at < bytes.length; at++) {
      byte[] head = java.util.Arrays.copyOfRange(bytes, 0, at);
      byte[] tail = java.util.Arrays.copyOfRange(bytes, at, bytes.length);
      peer.onCall((request, wire) -> wire.sse().chunk(head).chunk(tail).end());
      assertRead(bed.tool(1));
    }
    assertEquals(bytes.length - 1, peer.http.posts("tools/call").size());
  }

  /** field report B97: retry alone, with an id, not a number, and beyond all bounds. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "retry: 20\n\n",
        "retry: 20\nid: r\n\n",
        "retry: abc\n\n",
        "retry: 999999999\nretry: 20\n\n"
      })
  void streamIsResumedWhateverItsRetrySays(String retry) {
    peer.onCall((request, wire) -> wire.sse().event("x", NOTE).chunk(retry).end())
        .onResume((request, wire) -> wire.sse().event("y", McpPeer.result("1")).end());
    CallRecorder call = bed.tool(1);
    assertEquals("message " + NOTE, call.take());
    String next = call.take();
    if (retry.contains("20")) {
      assertEquals("polled 20", next);
      next = call.take();
    }
    assertEquals("answer " + McpPeer.result("1"), next);
    assertEquals(retry.contains("id: r") ? "r" : "x", cursor());
  }

  private String cursor() {
    List<FaultyPeer.Request> gets = peer.http.gets();
    return gets.get(gets.size() - 1).header("Last-Event-ID").orElse("");
  }

  /** lifecycle 105: answers to others, and to nobody, are dropped. */
  @Test
  void answersToOthersAreDropped() {
    peer.onCall(
        (request, wire) ->
            wire.sse()
                .event("a", McpPeer.result("2"))
                .event("b", McpPeer.result("\"1\""))
                .event("c", McpPeer.result("1"))
                .event("d", McpPeer.result("1"))
                .end());
    CallRecorder call = bed.tool(1);
    assertEquals("answer " + McpPeer.result("1"), call.take());
    assertEquals(List.of(), call.takeAll());
  }

  /** lifecycle 105: what is no message ends this call, and no other. */
  @ParameterizedTest
  @ValueSource(strings = {"{broken", "[]", "{\"jsonrpc\":\"2.0\"}", "\u0000"})
  void callIsLostWhenEventIsNoMessage(String data) {
    peer.onCall((request, wire) -> wire.sse().event("x", data).stall(), McpPeer::answerWithResult);
    assertEquals("lost UNKNOWN malformed", bed.tool(1).take());
    assertEquals("answer " + McpPeer.result("2"), bed.tool(2).take());
  }

  /** An id that no header can carry is not a cursor. */
  @Test
  void cursorIsSentAsItsBytes() {
    peer.onCall(
            (request, wire) -> {
              wire.sse().event("\u00fc\ud83d\ude80", NOTE).chunk("id: a\tb\ndata:\n\n");
              wire.rst();
            })
        .onResume((request, wire) -> wire.sse().event("y", McpPeer.result("1")).end());
    CallRecorder call = bed.tool(1);
    call.take();
    assertEquals("answer " + McpPeer.result("1"), call.take());
    assertEquals(
        "\u00fc\ud83d\ude80",
        new String(cursor().getBytes(java.nio.charset.StandardCharsets.ISO_8859_1), UTF_8));
  }
}
