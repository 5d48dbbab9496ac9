package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A cancelled call is over here at once, and the server is told (streams 43). */
class CancelIT extends LinkBench {
  private static final String NOTE = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}";

  private void untilTold() {
    LinkBed.until(() -> peer.http.posts("notifications/cancelled").size() == 1);
    String body = peer.http.posts("notifications/cancelled").get(0).body();
    assertTrue(body.contains("\"requestId\":1,\"reason\":\"not \\\"now\\\"\""), body);
  }

  /** A later call shows that the link lives, and that nothing of the first one moves any more. */
  private void assertStill(CallRecorder cancelled) {
    int gets = peer.http.gets().size();
    peer.onCall(McpPeer::answerWithResult);
    assertEquals("answer " + McpPeer.result("9"), bed.tool(9).take());
    LinkBed.until(() -> peer.http.connections() == 0);
    assertEquals(gets, peer.http.gets().size());
    assertEquals(List.of(), cancelled.takeAll());
    assertEquals(0, peer.http.posts("ping").size());
    assertEquals(2, peer.http.posts("tools/call").size());
  }

  @Test
  void serverIsToldWhenStreamIsOpen() {
    peer.onCall((request, wire) -> wire.sse().event("x", NOTE).stall());
    CallRecorder recorder = new CallRecorder();
    Dispatch call = bed.call("tools/call", 1, recorder);
    recorder.take();
    bed.run(() -> call.cancel("not \"now\""));
    bed.run(() -> call.cancel("again"));
    untilTold();
    assertStill(recorder);
    assertEquals(Dispatch.State.DONE, call.state());
  }

  /** A server task that died without an answer is ended by cancel alone. */
  @Test
  void serverIsToldWhenNotOneByteHasCome() {
    peer.onCall((request, wire) -> wire.stall());
    CallRecorder recorder = new CallRecorder();
    Dispatch call = bed.call("tools/call", 1, recorder);
    LinkBed.until(() -> peer.http.posts("tools/call").size() == 1);
    bed.run(() -> call.cancel("not \"now\""));
    untilTold();
    assertStill(recorder);
  }

  /** field report B55: no further GET after a cancel in back-off. */
  @Test
  void serverIsToldWhenStreamIsInBackOff() {
    peer.onCall((request, wire) -> wire.sse().chunk("retry: 1000\n\n").event("x", NOTE).end());
    CallRecorder recorder = new CallRecorder();
    Dispatch call = bed.call("tools/call", 1, recorder);
    recorder.take();
    assertEquals("polled 1000", recorder.take());
    bed.run(() -> call.cancel("not \"now\""));
    untilTold();
    assertStill(recorder);
    assertEquals(1, peer.http.gets().size());
  }

  /** A late answer is dropped. */
  @Test
  void answerIsDroppedWhenItComesLate() {
    CountDownLatch cancelled = new CountDownLatch(1);
    peer.onCall(
        (request, wire) -> {
          wire.sse().event("x", NOTE);
          SessionIT.await(cancelled);
          wire.event("y", McpPeer.result("1")).end();
        });
    CallRecorder recorder = new CallRecorder();
    Dispatch call = bed.call("tools/call", 1, recorder);
    recorder.take();
    bed.run(() -> call.cancel("not \"now\""));
    cancelled.countDown();
    untilTold();
    assertStill(recorder);
  }

  /** A call that was not sent is not sent, and the server hears nothing. */
  @Test
  void nothingIsSentWhenCallWasStillQueued() {
    CallRecorder recorder = new CallRecorder();
    bed.run(
        () -> {
          CallRequest request =
              new CallRequest(
                  "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}".getBytes(),
                  io.fairlead.wire.RpcId.of(1),
                  "tools/call",
                  java.util.Map.of());
          bed.link.call(request, recorder).cancel("not now");
        });
    assertEquals("answer " + McpPeer.result("2"), bed.tool(2).take());
    assertEquals(1, peer.http.posts("tools/call").size());
    assertEquals(0, peer.http.posts("notifications/cancelled").size());
    assertEquals(List.of(), recorder.takeAll());
  }

  /** Wherever the cancel meets the call on its way: what the server may have is cancelled there. */
  @Test
  void serverIsToldOfEveryCallThatItMayHave() {
    peer.onCall((request, wire) -> wire.stall());
    for (int id = 1; id <= 200; id++) {
      Dispatch call = bed.call("tools/call", id, new CallRecorder());
      for (int turn = id % 4; turn > 0; turn--) {
        bed.run(() -> {});
      }
      bed.run(() -> call.cancel("not now"));
    }
    bed.onLoop(bed.link::close);
    LinkBed.until(() -> peer.http.connections() == 0);
    // what the client has sent may still be under way here
    LinkBed.until(() -> told().size() > 0 && told().containsAll(called()));
  }

  private Set<String> told() {
    return peer.http.posts("notifications/cancelled").stream()
        .map(post -> post.body().replaceAll(".*\"requestId\":(\\d+).*", "$1"))
        .collect(Collectors.toSet());
  }

  private Set<String> called() {
    return peer.http.posts("tools/call").stream()
        .map(FaultyPeer.Request::id)
        .collect(Collectors.toSet());
  }

  /** A connection that was opened for it is closed, not left for whoever comes next. */
  @Test
  void nothingStaysOpenWhereverTheCancelMeetsTheCall() {
    peer.onCall((request, wire) -> wire.stall());
    LinkBed.until(() -> peer.http.connections() == 0);
    for (int id = 1; id <= 40; id++) {
      Dispatch call = bed.call("tools/call", id, new CallRecorder());
      for (int turn = id % 4; turn > 0; turn--) {
        bed.run(() -> {});
      }
      bed.run(() -> call.cancel("not now"));
      // well below the time after which a pool would close it anyway
      LinkBed.until(Duration.ofSeconds(3), () -> peer.http.connections() == 0);
    }
  }

  /** Other calls are untouched. */
  @Test
  void otherCallGoesOnWhenOneIsCancelled() {
    CountDownLatch cancelled = new CountDownLatch(1);
    peer.onCall(
        (request, wire) -> {
          wire.sse().event("x", NOTE);
          SessionIT.await(cancelled);
          wire.event("y", McpPeer.result(request)).end();
        });
    CallRecorder first = new CallRecorder();
    Dispatch call = bed.call("tools/call", 1, first);
    CallRecorder second = bed.tool(2);
    first.take();
    second.take();
    bed.run(() -> call.cancel("not now"));
    cancelled.countDown();
    assertEquals("answer " + McpPeer.result("2"), second.take());
    assertEquals(List.of(), first.takeAll());
  }

  /** Closing cancels what is in flight, ends the session, and is bounded. */
  @Test
  void closeEndsEverythingWhenServerIsSilent() {
    peer.onCall((request, wire) -> wire.sse().event("x", NOTE).stall());
    CallRecorder call = bed.tool(1);
    call.take();
    peer.onListen((request, wire) -> wire.stall());
    bed.onLoop(bed.link::close);
    LinkBed.until(() -> peer.http.connections() == 0);
    assertEquals(1, peer.http.posts("notifications/cancelled").size());
    assertEquals(1, peer.http.requests().stream().filter(r -> r.method().equals("DELETE")).count());
    assertEquals(List.of(), call.takeAll());
    assertEquals(List.of(), List.copyOf(bed.events));
    assertEquals("lost NOT_DISPATCHED backend_lost", bed.tool(2).take());
  }
}
