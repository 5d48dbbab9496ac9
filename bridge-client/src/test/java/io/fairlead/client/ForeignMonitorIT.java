package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a ping shows of a server that is not a Fairlead (streams 40). */
class ForeignMonitorIT extends LinkBench {
  private static final Probing OFTEN = new Probing(Duration.ofMillis(20), Duration.ZERO, 3);
  private static final String UNKNOWN = "lost UNKNOWN backend_lost";
  private static final String NOTE = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}";

  private CallRecorder call;

  @BeforeEach
  void monitor() {
    bed.run(() -> bed.link.monitor(OFTEN));
    peer.onCall((request, wire) -> wire.sse().event("x", NOTE).stall());
  }

  private void callUnder(FaultyPeer.Script ping) {
    call = bed.tool(1);
    assertEquals("message " + NOTE, call.take());
    peer.onPing(ping);
  }

  private void assertGoesOn(int pings) {
    int before = peer.http.posts("ping").size();
    LinkBed.until(() -> peer.http.posts("ping").size() >= before + pings);
    assertEquals(List.of(), call.takeAll());
    assertEquals(1, peer.http.posts("initialize").size());
    assertTrue(bed.events.isEmpty(), bed.events::toString);
  }

  /** A server that does not know ping says so in one way or another, and lives. */
  @ParameterizedTest
  @CsvSource({
    "200, -32601",
    "400, -32601",
    "404, -32601",
    "500, -32603",
    "503, -32603",
    "405, -32600"
  })
  void callGoesOnWhenServerRefusesPings(int status, int code) {
    callUnder(
        (request, wire) ->
            wire.respond(
                status,
                "Content-Type: application/json\r\n",
                "{\"jsonrpc\":\"2.0\",\"id\":"
                    + request.id()
                    + ",\"error\":{\"code\":"
                    + code
                    + ",\"message\":\"no ping\"}}"));
    assertGoesOn(8);
  }

  /** While it runs a tool a server may have no time for anything else. */
  @Test
  void callGoesOnWhenServerIsTooBusyForPings() {
    callUnder((request, wire) -> wire.stall());
    // each takes the whole second that it may
    assertGoesOn(4);
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 504})
  void callIsLostWhenProxyHasNoServerForPings(int status) {
    callUnder((request, wire) -> wire.respond(status, "", "<html>"));
    assertEquals(UNKNOWN, call.take());
    assertEquals(1, peer.http.posts("tools/call").size());
  }

  @Test
  void callIsLostWhenPingsAreCut() {
    callUnder((request, wire) -> wire.rst());
    assertEquals(UNKNOWN, call.take());
    peer.onPing(McpPeer::answerWithResult).onCall(McpPeer::answerWithResult);
    assertEquals("answer " + McpPeer.result("2"), bed.tool(2).take());
    assertEquals(1, peer.http.posts("initialize").size());
  }

  @Test
  void callIsLostAndSessionRenewedWhenServerDoesNotKnowTheSession() {
    callUnder((request, wire) -> wire.respond(404, "", "who?"));
    assertEquals(UNKNOWN, call.take());
    LinkBed.until(() -> bed.events.contains("renewed"));
  }

  /** What is idle costs nothing, and may expire at the server. */
  @Test
  void idleServerIsNotPinged() {
    LockSupport.parkNanos(OFTEN.busy().multipliedBy(10).toNanos());
    assertEquals(0, peer.http.posts("ping").size());
    callUnder((request, wire) -> wire.rst());
    assertEquals(UNKNOWN, call.take());
    LinkBed.until(() -> peer.http.connections() == 0);
    int after = peer.http.posts("ping").size();
    LockSupport.parkNanos(OFTEN.busy().multipliedBy(10).toNanos());
    assertTrue(peer.http.posts("ping").size() <= after + 1, "pings go on");
  }
}
