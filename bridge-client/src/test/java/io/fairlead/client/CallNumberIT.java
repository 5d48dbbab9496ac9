package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A Fairlead is asked by number what became of a call of which no byte came back (streams 38). */
class CallNumberIT {
  private McpPeer peer;
  private LinkBed bed;

  @BeforeEach
  void open() throws Exception {
    peer = new McpPeer();
    peer.instance("one");
    bed = new LinkBed(peer.http.url());
  }

  @AfterEach
  void close() throws Exception {
    bed.close();
    peer.close();
  }

  private static void answerOnStream(FaultyPeer.Request request, Wire wire)
      throws java.io.IOException {
    wire.sse().chunk("id: c1-1\ndata: " + McpPeer.result("1") + "\n\n");
    wire.fin();
  }

  private static FaultyPeer.Script refuse(int status, String reason) {
    String error =
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,\"message\":\"no\","
            + "\"data\":{\"reason\":\""
            + reason
            + "\"}}}";
    return (request, wire) -> wire.respond(status, "Content-Type: application/json\r\n", error);
  }

  private void assertAskedOnce(CallRecorder call, String outcome) {
    assertEquals(outcome, call.take());
    assertEquals(List.of(), call.takeAll());
    List<FaultyPeer.Request> posts = peer.http.posts("tools/call");
    assertEquals(1, posts.size());
    assertEquals(Optional.of("1"), posts.get(0).header("Fairlead-Call"));
    assertEquals(
        List.of("c1-0"),
        peer.http.gets().stream().flatMap(get -> get.header("Last-Event-ID").stream()).toList());
  }

  @Test
  void callIsResumedFromItsStartWhenNoByteCameBack() {
    peer.onCall((request, wire) -> wire.rst()).onResume(CallNumberIT::answerOnStream);
    assertAskedOnce(bed.tool(1), "answer " + McpPeer.result("1"));
  }

  @Test
  void callIsResumedFromItsStartWhenJsonAnswerIsCut() {
    peer.onCall(
            (request, wire) -> {
              wire.raw(
                  "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                      + "Content-Length: 500\r\n\r\n{\"jsonrpc\"");
              wire.fin();
            })
        .onResume(CallNumberIT::answerOnStream);
    assertAskedOnce(bed.tool(1), "answer " + McpPeer.result("1"));
  }

  /** streams 31: what a proxy says after it passed the call on is not the answer. */
  @ParameterizedTest
  @ValueSource(ints = {502, 503, 504})
  void callIsResumedWhenProxyAnswersInThePlaceOfTheServer(int status) {
    peer.onCall((request, wire) -> wire.respond(status, "", "<html>"))
        .onResume(CallNumberIT::answerOnStream);
    assertAskedOnce(bed.tool(1), "answer " + McpPeer.result("1"));
  }

  /** Something on the way has sent the POST twice, and answers with the second one's refusal. */
  @Test
  void callIsResumedWhenItsNumberWasSeenTwice() {
    peer.onCall(refuse(409, "duplicate_call")).onResume(CallNumberIT::answerOnStream);
    assertAskedOnce(bed.tool(1), "answer " + McpPeer.result("1"));
  }

  @ParameterizedTest
  @CsvSource({
    "not_dispatched, NOT_DISPATCHED not_dispatched",
    "evicted, COMPLETED_RESULT_EVICTED evicted",
    "forgotten, UNKNOWN forgotten",
    "unknown_event, UNKNOWN backend_lost"
  })
  void outcomeIsWhatTheServerKnows(String reason, String outcome) {
    peer.onCall((request, wire) -> wire.fin()).onResume(refuse(400, reason));
    CallRecorder call = bed.tool(1);
    assertAskedOnce(call, "lost " + outcome);
    assertTrue(call.outcome().text().length() > 20);
  }

  @Test
  void fencedCallIsNotDispatched() {
    peer.onCall(refuse(409, "fenced"));
    CallRecorder call = bed.tool(1);
    assertEquals("lost NOT_DISPATCHED fenced", call.take());
    assertEquals(1, peer.http.posts("tools/call").size());
  }

  private List<FaultyPeer.Request> resumes() {
    return peer.http.gets().stream()
        .filter(get -> get.header("Last-Event-ID").isPresent())
        .toList();
  }

  private static void forgeNotFound(FaultyPeer.Request request, Wire wire)
      throws java.io.IOException {
    wire.respond(404, "Content-Type: text/html\r\n", "<html>no route</html>");
  }

  /** decision 0006: who says 404 in other words than a Fairlead's is not believed at once. */
  @Test
  void callIsResumedWhenProxyKnowsNoWayForAWhile() {
    FaultyPeer.Script forged = CallNumberIT::forgeNotFound;
    peer.onCall((request, wire) -> wire.rst())
        .onResume(forged, forged, forged, CallNumberIT::answerOnStream);
    CallRecorder call = bed.tool(1);
    assertEquals("answer " + McpPeer.result("1"), call.take());
    assertEquals(4, resumes().size());
    assertEquals(1, peer.http.posts("tools/call").size());
    assertEquals(1, peer.http.posts("initialize").size());
  }

  /** Only in a row: a stream that opens shows that there is a way. */
  @Test
  void callIsResumedWhenProxyKnowsNoWayNowAndThen() {
    FaultyPeer.Script forged = CallNumberIT::forgeNotFound;
    FaultyPeer.Script empty = (request, wire) -> wire.sse().end();
    peer.onCall((request, wire) -> wire.rst())
        .onResume(forged, forged, empty, forged, forged, CallNumberIT::answerOnStream);
    assertEquals("answer " + McpPeer.result("1"), bed.tool(1).take());
    assertEquals(6, resumes().size());
  }

  @Test
  void callIsLostWhenProxyKnowsNoWayForGood() {
    peer.onCall((request, wire) -> wire.rst()).onResume(CallNumberIT::forgeNotFound);
    assertEquals("lost UNKNOWN backend_lost", bed.tool(1).take());
    assertEquals(4, resumes().size());
    assertEquals(1, peer.http.posts("tools/call").size());
  }

  @Test
  void callIsLostAtOnceWhenItsFairleadDoesNotKnowTheSession() {
    peer.onCall((request, wire) -> wire.rst()).onResume(refuse(404, "session_unknown"));
    assertAskedOnce(bed.tool(1), "lost UNKNOWN backend_lost");
  }

  /** The ping tells: the server is another one, which the proxy does not know of. */
  @Test
  void callIsLostWhenTheSessionIsGoneBehindTheProxy() {
    peer.onCall(
        (request, wire) -> {
          peer.forgetSessions();
          wire.rst();
        });
    assertEquals("lost UNKNOWN backend_lost", bed.tool(1).take());
    LinkBed.until(() -> bed.events.contains("renewed"));
    assertEquals(1, peer.http.posts("tools/call").size());
  }

  @Test
  void numbersRiseWithEachPostAndReadsHaveNone() {
    bed.tool(1).take();
    bed.read(2).take();
    bed.tool(3).take();
    assertEquals(
        List.of("1", "2"),
        peer.http.posts("tools/call").stream()
            .map(post -> post.header("Fairlead-Call").orElse("none"))
            .toList());
    assertEquals(Optional.empty(), peer.http.posts("tools/list").get(0).header("Fairlead-Call"));
  }
}
