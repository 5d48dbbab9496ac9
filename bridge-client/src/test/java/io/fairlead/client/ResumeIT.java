package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cut stream is resumed by its cursor (streams 24, 34 to 37, 50). */
class ResumeIT extends LinkBench {
  private static final String UNKNOWN = "lost UNKNOWN backend_lost";
  private static final String NOTE = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}";

  /** The POST's stream: one event with id x, then a cut. */
  private static void eventThenCut(FaultyPeer.Request request, Wire wire)
      throws java.io.IOException {
    wire.sse().event("x", NOTE);
    wire.rst();
  }

  private static FaultyPeer.Script resumeWithAnswer(String id) {
    return (request, wire) -> wire.sse().event("last", McpPeer.result(id)).end();
  }

  private List<FaultyPeer.Request> resumes() {
    return peer.http.gets().stream()
        .filter(get -> get.header("Last-Event-ID").isPresent())
        .toList();
  }

  private void assertOnePost() {
    assertEquals(1, peer.http.posts("tools/call").size());
  }

  /** What is behind the failure in the same chunk is not known, so nothing may go on from there. */
  @Test
  void streamThatCouldNotBeTakenCountsAsCut() {
    peer.onCall(
            (request, wire) -> {
              wire.sse().event("x", NOTE);
              wire.stall();
            })
        .onResume(resumeWithAnswer("1"));
    CallRecorder call = new CallRecorder();
    call.stumble();
    bed.call("tools/call", 1, call);
    assertEquals("meant to fail", bed.takeUnhandled().getMessage());
    assertEquals("answer " + McpPeer.result("1"), call.take());
    assertEquals(List.of(), call.takeAll());
    assertEquals(Optional.of("x"), resumes().get(0).header("Last-Event-ID"));
    assertOnePost();
  }

  /** streams 34: cursor, session and version headers. */
  @Test
  void cutStreamIsResumedAfterItsLastEvent() {
    peer.onCall(ResumeIT::eventThenCut).onResume(resumeWithAnswer("1"));
    CallRecorder call = bed.tool(1);
    assertEquals("message " + NOTE, call.take());
    assertEquals("answer " + McpPeer.result("1"), call.take());
    FaultyPeer.Request get = resumes().get(0);
    assertEquals(Optional.of("x"), get.header("Last-Event-ID"));
    assertEquals(Optional.of("session-1"), get.header("Mcp-Session-Id"));
    assertEquals(Optional.of("2025-11-25"), get.header("MCP-Protocol-Version"));
    assertEquals(Optional.of("text/event-stream"), get.header("Accept"));
    assertEquals(List.of(), call.takeAll());
    assertOnePost();
  }

  /** streams 35; field report B1: nothing, a comment, half an event, each then cut. */
  @Test
  void cursorSurvivesLegsWithoutEvent() {
    peer.onCall(ResumeIT::eventThenCut)
        .onResume(
            (request, wire) -> {
              wire.sse();
              wire.rst();
            },
            (request, wire) -> {
              wire.sse().chunk(": alive\n\n");
              wire.fin();
            },
            (request, wire) -> {
              wire.sse().chunk("id: y\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
              wire.rst();
            },
            (request, wire) -> wire.rst(),
            resumeWithAnswer("1"));
    CallRecorder call = bed.tool(1);
    call.take();
    assertEquals("answer " + McpPeer.result("1"), call.take());
    assertEquals(5, resumes().size());
    resumes().forEach(get -> assertEquals(Optional.of("x"), get.header("Last-Event-ID")));
    assertOnePost();
  }

  /** field report B18: progress resets the patience, however often the server cuts. */
  @Test
  void callCompletesWhenServerCutsAfterEachOfFiftyEvents() {
    AtomicInteger sent = new AtomicInteger();
    FaultyPeer.Script script =
        (request, wire) -> {
          int n = sent.incrementAndGet();
          wire.sse().chunk("retry: 1\n\n").event("e" + n, n > 50 ? McpPeer.result("1") : NOTE);
          wire.rst();
        };
    peer.onCall(script).onResume(script);
    CallRecorder call = bed.tool(1);
    for (int i = 0; i < 50; i++) {
      assertEquals("message " + NOTE, call.take());
    }
    assertEquals("answer " + McpPeer.result("1"), call.take());
    assertOnePost();
  }

  /** streams 34: the server's reconnection time is kept, never early, and told. */
  @Test
  void politeEndIsPolledAfterTheServersReconnectionTime() {
    AtomicInteger legs = new AtomicInteger();
    peer.onCall((request, wire) -> wire.sse().chunk("id: p0\nretry: 120\ndata:\n\n").end())
        .onResume(
            (request, wire) ->
                wire.sse().chunk("id: p" + legs.incrementAndGet() + "\ndata:\n\n").end(),
            resumeWithAnswer("1"));
    CallRecorder call = bed.tool(1);
    assertEquals("polled 120", call.take());
    assertEquals("polled 120", call.take());
    assertEquals("answer " + McpPeer.result("1"), call.take());
    List<FaultyPeer.Request> gets = resumes();
    assertEquals(Optional.of("p0"), gets.get(0).header("Last-Event-ID"));
    assertEquals(Optional.of("p1"), gets.get(1).header("Last-Event-ID"));
    long gapMillis = (gets.get(1).nanos() - gets.get(0).nanos()) / 1_000_000;
    assertTrue(gapMillis >= 119, "gap=" + gapMillis);
    assertEquals(0, peer.http.posts("ping").size());
  }

  /** streams 36; field reports B48, B54: an empty 200 is no progress. */
  @Test
  void emptyResumesBackOff() {
    peer.onCall(ResumeIT::eventThenCut).onResume((request, wire) -> wire.sse().end());
    CallRecorder call = bed.tool(1);
    call.take();
    LinkBed.until(() -> resumes().size() >= 7);
    List<Long> gaps = gapsMillis(resumes());
    // 40, 80, 160, 160 ... after the first wait of 20 ms; timers are never early
    List<Integer> least = List.of(39, 79, 159, 159, 159, 159);
    for (int i = 0; i < least.size(); i++) {
      assertTrue(gaps.get(i) >= least.get(i), "gaps=" + gaps);
    }
    assertEquals(List.of(), call.takeAll());
    assertOnePost();
  }

  private static List<Long> gapsMillis(List<FaultyPeer.Request> requests) {
    List<Long> gaps = new ArrayList<>();
    for (int i = 1; i < requests.size(); i++) {
      gaps.add((requests.get(i).nanos() - requests.get(i - 1).nanos()) / 1_000_000);
    }
    return gaps;
  }

  /** streams 37: a definite refusal ends the wait at once. */
  @ParameterizedTest
  @ValueSource(ints = {400, 403, 404, 405, 406, 410, 302})
  void refusedResumeIsAnUnknownOutcome(int status) {
    peer.onCall(ResumeIT::eventThenCut)
        .onResume((request, wire) -> wire.respond(status, "Location: /else\r\n", "body"));
    CallRecorder call = bed.tool(1);
    call.take();
    assertEquals(UNKNOWN, call.take(Duration.ofSeconds(5)));
    assertEquals(1, resumes().size());
    assertOnePost();
  }

  /** streams 37; field report B52: a 200 that is no stream is a refusal. */
  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/json", "text/event-streams"})
  void resumeThatIsNoStreamIsAnUnknownOutcome(String type) {
    peer.onCall(ResumeIT::eventThenCut)
        .onResume((request, wire) -> wire.respond(200, "Content-Type: " + type + "\r\n", "hello"));
    CallRecorder call = bed.tool(1);
    call.take();
    assertEquals(UNKNOWN, call.take());
    assertEquals(1, resumes().size());
  }

  /** streams 37: what may pass is waited for, at a growing distance. */
  @ParameterizedTest
  @ValueSource(ints = {401, 409, 429, 500, 502, 503})
  void resumeGoesOnWhenRefusalMayPass(int status) {
    FaultyPeer.Script refusal = (request, wire) -> wire.respond(status, "", "");
    peer.onCall(ResumeIT::eventThenCut).onResume(refusal, refusal, refusal, resumeWithAnswer("1"));
    CallRecorder call = bed.tool(1);
    call.take();
    assertEquals("answer " + McpPeer.result("1"), call.take());
    assertEquals(4, resumes().size());
    resumes().forEach(get -> assertEquals(Optional.of("x"), get.header("Last-Event-ID")));
  }

  /** streams 37: Retry-After is kept. */
  @Test
  void resumeWaitsForRetryAfter() {
    peer.onCall(ResumeIT::eventThenCut)
        .onResume(
            (request, wire) -> wire.respond(429, "Retry-After: 1\r\n", ""), resumeWithAnswer("1"));
    CallRecorder call = bed.tool(1);
    call.take();
    assertEquals("answer " + McpPeer.result("1"), call.take());
    assertTrue(gapsMillis(resumes()).get(0) >= 999, "gaps=" + gapsMillis(resumes()));
  }

  /** streams 24: a server that is gone cannot remember the stream; the caller hears it soon. */
  @Test
  void callIsLostWhenServerIsGone() throws Exception {
    peer.onCall((request, wire) -> wire.sse().chunk("retry: 60000\n\n").event("x", NOTE).stall());
    CallRecorder call = bed.tool(1);
    call.take();
    peer.http.die();
    assertEquals(UNKNOWN, call.take(Duration.ofSeconds(5)));
    assertOnePost();
  }

  /** streams 50: for a while, nothing can be connected; the server has gone on. */
  @Test
  void callIsResumedWhenTheNetworkWasAway() throws Exception {
    Timing quick = LinkBed.QUICK;
    Timing patient =
        new Timing(
            quick.firstDelay(),
            quick.maxDelay(),
            quick.minRetry(),
            quick.maxRetry(),
            Duration.ofSeconds(30),
            quick.handshake(),
            quick.write(),
            quick.probe(),
            quick.close());
    Credentials none = Credentials.fixed(Map.of());
    HttpLinkOptions options =
        new HttpLinkOptions(peer.http.url(), none, Duration.ofSeconds(1), 1 << 20, 99, patient);
    peer.onCall((request, wire) -> wire.sse().event("x", NOTE).stall())
        .onResume(resumeWithAnswer("1"));
    try (LinkBed waiting = new LinkBed(options)) {
      CallRecorder call = waiting.tool(1);
      call.take();
      peer.http.die();
      LockSupport.parkNanos(quick.maxDelay().multipliedBy(3).toNanos());
      assertEquals(List.of(), call.takeAll());
      peer.http.revive();
      assertEquals("answer " + McpPeer.result("1"), call.take());
      assertEquals(Optional.of("x"), resumes().get(0).header("Last-Event-ID"));
      assertOnePost();
    }
  }

  /** streams 24: a server that was restarted does not know the session. */
  @Test
  void callIsLostWhenServerIsRestarted() throws Exception {
    peer.onCall((request, wire) -> wire.sse().chunk("retry: 60000\n\n").event("x", NOTE).stall());
    CallRecorder call = bed.tool(1);
    call.take();
    peer.forgetSessions();
    peer.http.die();
    peer.http.revive();
    assertEquals(UNKNOWN, call.take(Duration.ofSeconds(5)));
    assertOnePost();
  }

  /** streams 36: another run of a Fairlead does not have the stream, even if it answers. */
  @Test
  void callIsLostWhenInstanceChanged() throws Exception {
    peer.instance("one");
    try (LinkBed other = new LinkBed(peer.http.url())) {
      peer.onCall(ResumeIT::eventThenCut)
          .onResume((request, wire) -> wire.sse("Fairlead-Instance: two\r\n").stall());
      CallRecorder call = other.tool(1);
      call.take();
      assertEquals(UNKNOWN, call.take());
      assertEquals(1, resumes().size());
    }
  }

  /** A call on a connection that still delivers goes on, although new connections are refused. */
  @Test
  void streamThatDeliversOutlivesItsListener() throws Exception {
    peer.onCall(
        (request, wire) -> {
          wire.sse().event("x", NOTE);
          LinkBed.until(() -> peer.http.posts("ping").size() > 0);
          wire.event("y", McpPeer.result("1")).end();
        },
        (request, wire) -> wire.rst());
    CallRecorder first = bed.tool(1);
    first.take();
    CallRecorder second = bed.tool(2);
    assertEquals(UNKNOWN, second.take());
    bed.tool(3).take();
    assertEquals("answer " + McpPeer.result("1"), first.take());
  }

  /** A message that is under way when the reader pauses is not lost by a cut. */
  @Test
  void pausedStreamKeepsItsOrderOverACut() {
    peer.onCall(
            (request, wire) -> {
              wire.sse().event("a", NOTE);
              LinkBed.until(() -> !bed.messages.isEmpty());
              wire.event("b", NOTE);
              wire.rst();
            })
        .onResume(resumeWithAnswer("1"));
    CallRecorder call = new CallRecorder();
    Dispatch dispatch = bed.call("tools/call", 1, call);
    assertEquals("message " + NOTE, call.take());
    bed.run(dispatch::pause);
    bed.messages.add("paused");
    LinkBed.until(() -> peer.http.connections() == 0);
    bed.run(() -> {});
    assertEquals(List.of(), call.takeAll());
    bed.run(dispatch::resume);
    assertEquals("message " + NOTE, call.take());
    assertEquals("answer " + McpPeer.result("1"), call.take());
    assertEquals(Optional.of("b"), resumes().get(0).header("Last-Event-ID"));
  }
}
