package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call that was sent is never sent again, whatever happens to it (streams 31, 38, 41). */
class CallCutIT extends LinkBench {
  private static final String UNKNOWN = "lost UNKNOWN backend_lost";

  private void assertLostAfterOnePost(FaultyPeer.Script script) {
    peer.onCall(script);
    CallRecorder call = bed.tool(1);
    assertEquals(UNKNOWN, call.take());
    assertTrue(call.outcome().text().contains("Check before trying again"));
    assertEquals(McpPeer.result("2"), answerTo(peer.onCall(McpPeer::answerWithResult), 2));
    assertEquals(List.of(), call.takeAll());
    assertEquals(2, peer.http.posts("tools/call").size());
  }

  private String answerTo(McpPeer answering, int id) {
    return bed.tool(id).take().substring("answer ".length());
  }

  /** streams 31: self-kill of the server before its answer. */
  @Test
  void callIsLostOnceWhenServerClosesBeforeItsHead() {
    assertLostAfterOnePost((request, wire) -> wire.fin());
  }

  /** streams 31; field report B9: RST after the body. */
  @Test
  void callIsLostOnceWhenConnectionIsResetAfterItsBody() {
    assertLostAfterOnePost((request, wire) -> wire.rst());
  }

  /** streams 31; field report B10: RST after the head. */
  @Test
  void callIsLostOnceWhenConnectionIsResetAfterTheHead() {
    assertLostAfterOnePost(
        (request, wire) -> {
          wire.sse();
          wire.rst();
        });
  }

  /** streams 31, 35, 38; field report B7: a cut in mid-event, and no id was seen. */
  @Test
  void callIsLostOnceWhenStreamWithoutIdsIsCutInMidEvent() {
    assertLostAfterOnePost(
        (request, wire) -> {
          wire.sse().chunk("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
          wire.fin();
        });
  }

  /** streams 38: a clean end without an answer is a cut. */
  @Test
  void callIsLostWhenStreamWithoutIdsEndsCleanly() {
    assertLostAfterOnePost((request, wire) -> wire.sse().chunk(": nothing\n\n").end());
  }

  /** streams 31: a JSON answer that is cut. */
  @Test
  void callIsLostOnceWhenJsonAnswerIsCut() {
    assertLostAfterOnePost(
        (request, wire) -> {
          wire.raw(
              "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"js");
          wire.rst();
        });
  }

  /** streams 31: made by a proxy after it forwarded the request. */
  @ParameterizedTest
  @ValueSource(ints = {404, 408, 500, 502, 503, 504})
  void callIsLostOnceWhenProxyAnswersWithStatus(int status) {
    assertLostAfterOnePost(
        (request, wire) -> wire.respond(status, "Content-Type: text/html\r\n", "<h1>no</h1>"));
  }

  /** streams 32, lifecycle 104: a redirect is not followed, and does not prove that nothing ran. */
  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void callIsLostWhenServerRedirects(int status) throws Exception {
    try (McpPeer other = new McpPeer()) {
      peer.onCall(
          (request, wire) -> wire.respond(status, "Location: " + other.http.url() + "\r\n", ""));
      assertEquals("lost UNKNOWN malformed", bed.tool(1).take());
      assertEquals(1, peer.http.posts("tools/call").size());
      assertEquals(List.of(), other.http.requests());
    }
  }

  /** lifecycle 105: an answer to something else, or no message at all. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}",
        "{\"broken\"",
        ""
      })
  void callIsLostWhenJsonDoesNotAnswerIt(String body) {
    peer.onCall((request, wire) -> wire.json(body));
    assertEquals("lost UNKNOWN malformed", bed.tool(1).take());
    assertEquals(1, peer.http.posts("tools/call").size());
  }

  /** A refusal that can only be one is an answer, with the caller's id. */
  @Test
  void refusalIsTheAnswerWhenServerSaysWhy() {
    peer.onCall(
        (request, wire) ->
            wire.respond(
                400,
                "Content-Type: application/json\r\n",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32602,\"message\":\"no\"}}"));
    assertEquals(
        "answer {\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,\"message\":\"no\"}}",
        bed.tool(1).take());
  }

  /** Statuses of a refusal without words become an error that names no body. */
  @ParameterizedTest
  @ValueSource(ints = {400, 403, 405, 413, 415, 429})
  void refusalIsAnErrorWhenServerDoesNotSayWhy(int status) {
    peer.onCall((request, wire) -> wire.respond(status, "", "secret internals"));
    String answer = bed.tool(1).take();
    assertTrue(answer.contains("\"error\":{\"code\":-32603"), answer);
    assertTrue(answer.contains("\"reason\":\"backend_unavailable\""), answer);
    assertTrue(!answer.contains("secret"), answer);
    assertEquals(1, peer.http.posts("tools/call").size());
  }

  /** streams 41: a read is sent once more after a transport failure. */
  @Test
  void readIsSentOnceMoreWhenItsConnectionBreaks() {
    peer.onCall((request, wire) -> wire.rst(), McpPeer::answerWithResult);
    assertEquals("answer " + McpPeer.result("1"), bed.read(1).take());
    assertEquals(2, peer.http.posts("tools/list").size());
  }

  /** streams 41: but only once. */
  @Test
  void readIsLostWhenItsConnectionBreaksTwice() {
    peer.onCall((request, wire) -> wire.rst());
    assertEquals(UNKNOWN, bed.read(1).take());
    assertEquals(2, peer.http.posts("tools/list").size());
  }

  /** A write that only looks like a read is not sent again. */
  @Test
  void subscriptionIsNotSentAgainWhenItsConnectionBreaks() {
    peer.onCall((request, wire) -> wire.rst());
    CallRecorder call = new CallRecorder();
    bed.call("resources/subscribe", 1, call);
    assertEquals(UNKNOWN, call.take());
    assertEquals(1, peer.http.posts("resources/subscribe").size());
  }

  /** streams 24, 38: a server that dies takes its calls with it, at once; field report B9. */
  @Test
  void nextCallSucceedsWhenServerIsBack() throws Exception {
    peer.onCall((request, wire) -> wire.stall());
    CallRecorder lost = bed.tool(1);
    LinkBed.until(() -> peer.http.posts("tools/call").size() == 1);
    peer.http.die();
    assertEquals(UNKNOWN, lost.take());
    peer.forgetSessions();
    peer.onCall(McpPeer::answerWithResult);
    peer.http.revive();
    assertEquals("answer " + McpPeer.result("2"), bed.tool(2).take());
    assertEquals("renewed", bed.events.take());
  }

  /** A call that could not be sent says so. */
  @Test
  void callIsNotDispatchedWhenConnectionsAreRefused() throws Exception {
    peer.http.die();
    CallRecorder call = bed.tool(1);
    assertEquals("lost NOT_DISPATCHED backend_unavailable", call.take());
    assertEquals(0, peer.http.posts("tools/call").size());
    peer.http.revive();
    assertEquals("answer " + McpPeer.result("2"), bed.tool(2).take());
  }

  /** streams 30: there is no deadline after dispatch; the wait here exceeds every bound. */
  @Test
  void answerIsAwaitedBeyondEveryBound() {
    Duration bound = Duration.ofMillis(60);
    Timing shortest =
        new Timing(bound, bound, bound, bound, bound, bound.multipliedBy(20), bound, bound, bound);
    peer.onCall(
        (request, wire) -> {
          LockSupport.parkNanos(Duration.ofMillis(1500).toNanos());
          wire.json(McpPeer.result(request));
        });
    try (LinkBed hasty = new LinkBed(options(shortest))) {
      assertEquals("answer " + McpPeer.result("1"), hasty.tool(1).take());
    }
    assertEquals(1, peer.http.posts("tools/call").size());
  }

  private HttpLinkOptions options(Timing timing) {
    Credentials none = Credentials.fixed(Map.of());
    return new HttpLinkOptions(peer.http.url(), none, Duration.ofSeconds(1), 1 << 20, 99, timing);
  }
}
