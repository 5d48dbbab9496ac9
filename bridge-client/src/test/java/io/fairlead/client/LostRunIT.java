package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A call that met the new run of a Fairlead before the monitor noticed that the old one is gone:
 * its POST's own response may still prove that it did not run (streams 23, 40, 42).
 */
class LostRunIT {
  private static final Probing OFTEN = new Probing(Duration.ofMillis(20), Duration.ofMillis(20), 3);
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String UNKNOWN = "lost UNKNOWN backend_lost";

  private final AtomicInteger probes = new AtomicInteger();
  private final CountDownLatch noticed = new CountDownLatch(1);
  private volatile FaultyPeer.Script health = this::healthy;
  private McpPeer peer;
  private LinkBed bed;

  @BeforeEach
  void open() throws Exception {
    peer = new McpPeer();
    peer.instance("one");
    peer.onUnknownSession(
        (request, wire) -> {
          if (request.header("Mcp-Session-Id").isPresent()) {
            prove(request, wire);
          } else {
            probes.incrementAndGet();
            health.answer(request, wire);
          }
        });
  }

  @AfterEach
  void close() throws Exception {
    noticed.countDown();
    bed.close();
    peer.close();
  }

  /** A link whose calls have that long to prove that they did not run. */
  private void link(Duration grace) {
    Timing quick = LinkBed.QUICK;
    Timing timing =
        new Timing(
            quick.firstDelay(),
            quick.maxDelay(),
            quick.minRetry(),
            quick.maxRetry(),
            grace,
            quick.handshake(),
            quick.write(),
            quick.probe(),
            quick.close());
    Credentials none = Credentials.fixed(Map.of());
    Duration connect = Duration.ofSeconds(2);
    bed = new LinkBed(new HttpLinkOptions(peer.http.url(), none, connect, 1 << 20, 99, timing));
    bed.run(() -> bed.link.monitor(OFTEN));
  }

  private void healthy(FaultyPeer.Request request, Wire wire) throws IOException {
    wire.respond(200, peer.instanceHeader(), "{}");
  }

  private static void prove(FaultyPeer.Request request, Wire wire) throws IOException {
    wire.respond(404, "Content-Type: application/json\r\n", McpPeer.UNKNOWN_SESSION);
  }

  private void restart() {
    peer.forgetSessions();
    peer.instance("two");
  }

  /** The first call meets the new run, which answers once the monitor has noticed it. */
  private void onFirstCall(FaultyPeer.Script answer) {
    peer.onCall(
        (request, wire) -> {
          restart();
          SessionIT.await(noticed);
          answer.answer(request, wire);
        },
        McpPeer::answerWithResult);
  }

  /** The next probe is sent after the calls were told. */
  private void awaitNoticed() {
    LinkBed.until(() -> bed.events.contains("renewed"));
    awaitProbes(1);
  }

  private void awaitProbes(int more) {
    int before = probes.get();
    LinkBed.until(() -> probes.get() >= before + more);
  }

  private List<FaultyPeer.Request> posts() {
    return peer.http.posts("tools/call");
  }

  private void assertEndsOnce(CallRecorder call, String outcome, int posts) {
    assertEquals(outcome, call.take());
    bed.run(() -> assertEquals(0, bed.link.calls()));
    assertEquals(List.of(), call.takeAll());
    assertEquals(posts, posts().size());
    assertEquals(2, peer.http.posts("initialize").size());
  }

  @Test
  void callIsSentAgainOnceWhenItsProofComesAfterTheMonitorNoticed() {
    link(LONG);
    onFirstCall(LostRunIT::prove);
    CallRecorder call = bed.tool(1);
    awaitNoticed();
    assertEquals(List.of(), call.takeAll());
    noticed.countDown();
    assertEndsOnce(call, "answer " + McpPeer.result("1"), 2);
    assertEquals(Optional.of("session-1"), posts().get(0).header("Mcp-Session-Id"));
    assertEquals(Optional.of("session-2"), posts().get(1).header("Mcp-Session-Id"));
  }

  /** The same when the monitor only found silence: the proof shows that a run is there again. */
  @Test
  void callIsSentAgainOnceWhenItsProofComesAfterSilentProbes() {
    link(LONG);
    health = (request, wire) -> wire.rst();
    onFirstCall(LostRunIT::prove);
    CallRecorder call = bed.tool(1);
    LinkBed.until(() -> posts().size() == 1);
    awaitProbes(2 * OFTEN.failures());
    assertEquals(List.of(), call.takeAll());
    health = this::healthy;
    noticed.countDown();
    assertEndsOnce(call, "answer " + McpPeer.result("1"), 2);
  }

  /** The other end: silence is no proof, and what comes later is not heard. */
  @Test
  void callIsUnknownWhenNoProofComesInTime() {
    link(Duration.ofMillis(300));
    onFirstCall(LostRunIT::prove);
    CallRecorder call = bed.tool(1);
    awaitNoticed();
    assertEquals(UNKNOWN, call.take());
    noticed.countDown();
    assertEquals("answer " + McpPeer.result("2"), bed.tool(2).take());
    assertEquals(List.of(), call.takeAll());
    assertEquals(2, posts().size());
  }

  /** Probes that find the server gone once more do not begin the wait anew. */
  @Test
  void callIsUnknownInTimeWhenProbesStaySilent() {
    link(Duration.ofSeconds(2));
    peer.onCall((request, wire) -> wire.stall());
    CallRecorder call = bed.tool(1);
    health = (request, wire) -> wire.rst();
    assertEquals(UNKNOWN, call.take());
    assertEquals(1, posts().size());
  }

  @Test
  void callIsUnknownWhenItsConnectionIsResetMeanwhile() {
    link(LONG);
    onFirstCall((request, wire) -> wire.rst());
    CallRecorder call = bed.tool(1);
    awaitNoticed();
    noticed.countDown();
    assertEndsOnce(call, UNKNOWN, 1);
  }

  /** Almost a proof is none: a proxy can have said it, and the old run may have run the call. */
  @ParameterizedTest
  @ValueSource(strings = {"<html>no route</html>", "{\"reason\":\"session_unknown\"}"})
  void callIsUnknownWhenItsRefusalProvesNothing(String body) {
    link(LONG);
    onFirstCall((request, wire) -> wire.respond(404, "", body));
    CallRecorder call = bed.tool(1);
    awaitNoticed();
    noticed.countDown();
    assertEndsOnce(call, UNKNOWN, 1);
  }

  /** Whoever has its answer has run it. */
  @Test
  void callIsAnsweredWhenItsAnswerComesMeanwhile() {
    link(LONG);
    onFirstCall(McpPeer::answerWithResult);
    CallRecorder call = bed.tool(1);
    awaitNoticed();
    noticed.countDown();
    assertEndsOnce(call, "answer " + McpPeer.result("1"), 1);
  }

  /** A response that has begun shows that the old run has the call. */
  @Test
  void callIsUnknownAtOnceWhenItsStreamHasBegun() {
    link(LONG);
    peer.onCall(
        (request, wire) -> {
          restart();
          wire.sse().stall();
        });
    assertEndsOnce(bed.tool(1), UNKNOWN, 1);
  }

  /** One that begins meanwhile has as long as the proof had. */
  @Test
  void callIsUnknownInTimeWhenItsStreamBeginsMeanwhile() {
    link(Duration.ofSeconds(2));
    onFirstCall((request, wire) -> wire.sse().stall());
    CallRecorder call = bed.tool(1);
    awaitNoticed();
    noticed.countDown();
    assertEndsOnce(call, UNKNOWN, 1);
  }

  @Test
  void cancelledCallIsNotSentAgain() {
    link(LONG);
    onFirstCall(LostRunIT::prove);
    CallRecorder call = new CallRecorder();
    Dispatch dispatch = bed.call("tools/call", 1, call);
    awaitNoticed();
    bed.run(() -> dispatch.cancel("enough"));
    noticed.countDown();
    assertEquals("answer " + McpPeer.result("2"), bed.tool(2).take());
    assertEquals(List.of(), call.takeAll());
    assertEquals(List.of("1", "2"), posts().stream().map(FaultyPeer.Request::id).toList());
  }

  /** Of a connection that was refused it is known that nothing left. */
  @Test
  void callIsNotDispatchedWhenItsConnectionIsRefused() throws Exception {
    link(Duration.ofMillis(300));
    peer.http.die();
    assertEquals("lost NOT_DISPATCHED backend_unavailable", bed.tool(1).take());
    restart();
    peer.http.revive();
    assertEquals("answer " + McpPeer.result("2"), bed.tool(2).take());
    assertEquals(List.of("2"), posts().stream().map(FaultyPeer.Request::id).toList());
  }
}
