package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A session that the server has lost is renewed once for everybody (streams 42, lifecycle 102). */
class SessionIT extends LinkBench {
  private static final String HELLO =
      "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\n";

  private static void prove(FaultyPeer.Request request, Wire wire) throws java.io.IOException {
    wire.respond(404, "Content-Type: application/json\r\n", McpPeer.UNKNOWN_SESSION);
  }

  private int initializes() {
    return peer.http.posts("initialize").size();
  }

  /** streams 42: a proof allows one more POST, on the new session. */
  @Test
  void callIsSentAgainWhenServerProvesThatItDidNotRun() throws Exception {
    peer.onUnknownSession(SessionIT::prove);
    peer.forgetSessions();
    assertEquals("answer " + McpPeer.result("1"), bed.tool(1).take());
    List<FaultyPeer.Request> posts = peer.http.posts("tools/call");
    assertEquals(2, posts.size());
    assertEquals(Optional.of("session-2"), posts.get(1).header("Mcp-Session-Id"));
    assertEquals(2, initializes());
    assertEquals("renewed", bed.events.take());
  }

  /** streams 42: all who wait share one handshake. */
  @Test
  void manyCallsShareOneNewSession() {
    peer.onUnknownSession(SessionIT::prove);
    peer.forgetSessions();
    List<CallRecorder> calls = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      calls.add(bed.tool(i));
    }
    for (int i = 1; i <= 20; i++) {
      assertEquals("answer " + McpPeer.result("" + i), calls.get(i - 1).take());
    }
    assertEquals(2, initializes());
  }

  /** streams 42: a second refusal is an error; nothing loops. */
  @Test
  void callIsNotDispatchedWhenSecondSessionIsRefusedToo() {
    peer.onCall(SessionIT::prove);
    assertEquals("lost NOT_DISPATCHED session_unknown", bed.tool(1).take());
    assertEquals(2, peer.http.posts("tools/call").size());
    LinkBed.until(() -> initializes() == 3);
  }

  /** streams 31, 42: without the proof the session is healed and the call's outcome unknown. */
  @Test
  void callIsLostAndSessionHealedWhenThereIsNoProof() {
    peer.forgetSessions();
    assertEquals("lost UNKNOWN backend_lost", bed.tool(1).take());
    assertEquals("answer " + McpPeer.result("2"), bed.tool(2).take());
    assertEquals(2, initializes());
    assertEquals(2, peer.http.posts("tools/call").size());
  }

  /** Almost a proof is none. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"reason\":\"session_unknown\"}",
        "{\"reason\":\"session_unknown\",\"dispatched\":true}",
        "{\"reason\":\"session_unknown\",\"dispatched\":\"false\"}",
        "{\"reason\":\"evicted\",\"dispatched\":false}",
        "{\"dispatched\":false}",
        "[false]"
      })
  void callIsLostWhenProofIsIncomplete(String data) {
    peer.onCall(
        (request, wire) ->
            wire.respond(
                404,
                "Content-Type: application/json\r\n",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32001,\"message\":\"m\","
                    + "\"data\":"
                    + data
                    + "}}"));
    assertEquals("lost UNKNOWN backend_lost", bed.tool(1).take());
    assertEquals(1, peer.http.posts("tools/call").size());
  }

  /** field report B66: one 404 of a proxy does not cost the session. */
  @Test
  void sessionIsKeptWhenOneNotFoundWasMadeByAProxy() {
    peer.onCall((request, wire) -> wire.respond(404, "", "no route"), McpPeer::answerWithResult);
    assertEquals("lost UNKNOWN backend_lost", bed.tool(1).take());
    assertEquals("answer " + McpPeer.result("2"), bed.tool(2).take());
    assertEquals(1, initializes());
  }

  /** lifecycle 102: a read is sent again on the healed session. */
  @Test
  void readIsSentAgainWhenSessionIsUnknown() {
    peer.forgetSessions();
    assertEquals("answer " + McpPeer.result("1"), bed.read(1).take());
    assertEquals(2, initializes());
  }

  /** architecture: a link in doubt proves itself before its next call. */
  @Test
  void restartCostsNoCallWhenTheStandaloneStreamEnded() throws Exception {
    CountDownLatch cut = new CountDownLatch(1);
    try (McpPeer listened = new McpPeer()) {
      listened.onListen(
          (request, wire) -> {
            wire.sse().chunk(HELLO);
            await(cut);
            wire.rst();
          },
          (request, wire) -> wire.sse().stall());
      try (LinkBed idle = new LinkBed(listened.http.url())) {
        LinkBed.until(() -> !idle.messages.isEmpty());
        listened.forgetSessions();
        cut.countDown();
        LinkBed.until(() -> !idle.events.isEmpty());
        assertEquals("answer " + McpPeer.result("1"), idle.tool(1).take());
        assertEquals(1, listened.http.posts("tools/call").size());
        assertEquals(2, listened.http.posts("initialize").size());
      }
    }
  }

  /** The same when connections were refused: the call waits for the proof, then runs once. */
  @Test
  void restartCostsNoCallWhenAConnectionWasRefused() throws Exception {
    peer.http.die();
    assertEquals("lost NOT_DISPATCHED backend_unavailable", bed.tool(1).take());
    peer.forgetSessions();
    peer.http.revive();
    assertEquals("answer " + McpPeer.result("2"), bed.tool(2).take());
    assertEquals(1, peer.http.posts("tools/call").size());
    assertEquals(Optional.of("session-2"), last("tools/call").header("Mcp-Session-Id"));
  }

  private FaultyPeer.Request last(String method) {
    List<FaultyPeer.Request> posts = peer.http.posts(method);
    return posts.get(posts.size() - 1);
  }

  /** A server that comes back while the call waits for it gets the call. */
  @Test
  void callWaitsForAServerThatIsRestarting() throws Exception {
    peer.http.die();
    assertEquals("lost NOT_DISPATCHED backend_unavailable", bed.tool(1).take());
    CallRecorder call = bed.tool(2);
    peer.forgetSessions();
    peer.http.revive();
    assertEquals("answer " + McpPeer.result("2"), call.take());
    assertEquals(1, peer.http.posts("tools/call").size());
  }

  /** A new session that is refused ends the link. */
  @Test
  void linkIsClosedWhenNewSessionIsRefused() throws Exception {
    peer.onUnknownSession(SessionIT::prove);
    peer.onInitialize((request, wire) -> wire.respond(401, "", ""));
    peer.forgetSessions();
    assertEquals("lost NOT_DISPATCHED backend_unavailable", bed.tool(1).take());
    assertEquals("closed The backend did not accept initialize: status=401.", bed.events.take());
    assertEquals("lost NOT_DISPATCHED backend_lost", bed.tool(2).take());
    assertEquals(2, initializes());
  }

  /** One that fails for now does not: the next call tries again. */
  @Test
  void linkLivesWhenNewSessionFailsForNow() {
    peer.onUnknownSession(SessionIT::prove);
    peer.onInitialize((request, wire) -> wire.respond(503, "", ""));
    peer.forgetSessions();
    assertEquals("lost NOT_DISPATCHED backend_unavailable", bed.tool(1).take());
    peer.onInitialize(peer::initialize);
    assertEquals("answer " + McpPeer.result("2"), bed.tool(2).take());
  }

  /** streams 31: a 401 allows one re-send, if the credentials have changed. */
  @Test
  void callIsSentAgainWithFreshCredentials() throws Exception {
    AtomicReference<String> token = new AtomicReference<>("old");
    Credentials credentials =
        () -> io.vertx.core.Future.succeededFuture(Map.of("Authorization", token.get()));
    peer.onCall(
        (request, wire) -> {
          token.set("new");
          if (request.header("Authorization").equals(Optional.of("new"))) {
            McpPeer.answerWithResult(request, wire);
          } else {
            wire.respond(401, "WWW-Authenticate: Bearer\r\n", "");
          }
        });
    try (LinkBed fresh = new LinkBed(LinkBed.options(peer.http.url(), credentials))) {
      assertEquals("answer " + McpPeer.result("1"), fresh.tool(1).take());
      assertEquals(2, peer.http.posts("tools/call").size());
    }
  }

  /** lifecycle 103: else it is an error of ours, not the client's. */
  @Test
  void callIsRefusedOnceWhenCredentialsStayTheSame() {
    peer.onCall((request, wire) -> wire.respond(401, "WWW-Authenticate: Bearer x=y\r\n", ""));
    String answer = bed.tool(1).take();
    assertTrue(answer.contains("\"code\":-32603"), answer);
    assertTrue(answer.contains("refused our credentials"), answer);
    assertEquals(1, peer.http.posts("tools/call").size());
  }

  static void await(CountDownLatch latch) {
    try {
      if (!latch.await(10, java.util.concurrent.TimeUnit.SECONDS)) {
        throw new AssertionError("the test did not go on within 10 s");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
