package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cut stream whose server refuses to go on with it, or is gone (streams 24, 36, 37, 50). */
class ResumeRefusedIT extends ResumeBench {
  private static final String UNKNOWN = "lost UNKNOWN backend_lost";

  /** streams 37: a definite refusal ends the wait at once. */
  @ParameterizedTest
  @ValueSource(ints = {400, 403, 404, 405, 406, 410, 302})
  void refusedResumeIsAnUnknownOutcome(int status) {
    peer.onCall(ResumeBench::eventThenCut)
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
    peer.onCall(ResumeBench::eventThenCut)
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
    peer.onCall(ResumeBench::eventThenCut)
        .onResume(refusal, refusal, refusal, resumeWithAnswer("1"));
    CallRecorder call = bed.tool(1);
    call.take();
    assertEquals("answer " + McpPeer.result("1"), call.take());
    assertEquals(4, resumes().size());
    resumes().forEach(get -> assertEquals(Optional.of("x"), get.header("Last-Event-ID")));
  }

  /** streams 37: Retry-After is kept. */
  @Test
  void resumeWaitsForRetryAfter() {
    peer.onCall(ResumeBench::eventThenCut)
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
      peer.onCall(ResumeBench::eventThenCut)
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
}
