package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A cut stream is resumed by its cursor (streams 34 to 36). */
class ResumeIT extends ResumeBench {
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
    peer.onCall(ResumeBench::eventThenCut).onResume(resumeWithAnswer("1"));
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
    peer.onCall(ResumeBench::eventThenCut)
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
    peer.onCall(ResumeBench::eventThenCut).onResume((request, wire) -> wire.sse().end());
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
