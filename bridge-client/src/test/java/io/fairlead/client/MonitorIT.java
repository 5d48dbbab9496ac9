package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whether the run of the server that has the calls still lives (streams 33, 40). */
class MonitorIT {
  private static final Probing OFTEN = new Probing(Duration.ofMillis(20), Duration.ofMinutes(1), 3);
  private static final String UNKNOWN = "lost UNKNOWN backend_lost";

  private final AtomicInteger probes = new AtomicInteger();
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
            wire.respond(404, "Content-Type: application/json\r\n", McpPeer.UNKNOWN_SESSION);
          } else {
            probes.incrementAndGet();
            health.answer(request, wire);
          }
        });
    bed = new LinkBed(peer.http.url());
    bed.run(() -> bed.link.monitor(OFTEN));
  }

  @AfterEach
  void close() throws Exception {
    bed.close();
    peer.close();
  }

  private void healthy(FaultyPeer.Request request, Wire wire) throws java.io.IOException {
    wire.respond(200, peer.instanceHeader(), "{}");
  }

  private static void stall(FaultyPeer.Request request, Wire wire) throws java.io.IOException {
    wire.sse().stall();
  }

  private void awaitProbes(int more) {
    int before = probes.get();
    LinkBed.until(() -> probes.get() >= before + more);
  }

  @Test
  void serverIsProbedWhileCallsAreInFlightAndHardlyElse() {
    assertEquals(0, probes.get());
    peer.onCall(MonitorIT::stall);
    CallRecorder call = new CallRecorder();
    Dispatch dispatch = bed.call("tools/call", 1, call);
    awaitProbes(10);
    assertEquals(List.of(), call.takeAll());
    bed.run(() -> dispatch.cancel("enough"));
    awaitProbes(0);
    int after = probes.get();
    LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
    assertTrue(probes.get() <= after + 1, "probes go on: " + probes.get() + " after " + after);
  }

  @Test
  void callIsLostWhenThreeProbesInARowFail() {
    peer.onCall(MonitorIT::stall);
    CallRecorder call = bed.tool(1);
    awaitProbes(2);
    health = (request, wire) -> wire.rst();
    assertEquals(UNKNOWN, call.take());
    assertEquals(1, peer.http.posts("tools/call").size());
  }

  @Test
  void singleFailedProbesChangeNothing() {
    peer.onCall(MonitorIT::stall);
    CallRecorder call = bed.tool(1);
    AtomicInteger turn = new AtomicInteger();
    health =
        (request, wire) -> {
          if (turn.incrementAndGet() % 3 == 0) {
            healthy(request, wire);
          } else {
            wire.rst();
          }
        };
    awaitProbes(12);
    assertEquals(List.of(), call.takeAll());
  }

  @Test
  void lostProbesDoNotCountWhileAStreamDelivers() {
    health =
        (request, wire) -> {
          LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
          wire.rst();
        };
    peer.onCall(
        (request, wire) -> {
          wire.sse();
          int seen = probes.get();
          while (probes.get() < seen + 6) {
            wire.chunk(": alive\n\n");
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
          }
          wire.chunk("data: " + McpPeer.result(request) + "\n\n");
        });
    assertEquals("answer " + McpPeer.result("1"), bed.tool(1).take());
  }

  /** streams 33: forty slow calls that speak do not starve the probes, nor these the calls. */
  @Test
  void slowCallsAndProbesDoNotStarveEachOther() {
    peer.onCall(
        (request, wire) -> {
          wire.sse();
          for (int i = 1; i <= 10; i++) {
            wire.event("n" + i, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}");
            LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
          }
          wire.event("last", McpPeer.result(request)).end();
        });
    long start = System.nanoTime();
    List<CallRecorder> calls = IntStream.rangeClosed(1, 40).mapToObj(bed::tool).toList();
    for (int i = 1; i <= 40; i++) {
      CallRecorder call = calls.get(i - 1);
      for (int told = 1; told <= 10; told++) {
        assertTrue(call.take().startsWith("message "));
      }
      assertEquals("answer " + McpPeer.result("" + i), call.take());
    }
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    assertTrue(took.compareTo(Duration.ofSeconds(8)) < 0, "took=" + took);
    assertTrue(probes.get() >= 20, "probes=" + probes);
    assertTrue(bed.events.isEmpty(), bed.events::toString);
    assertEquals(40, peer.http.posts("tools/call").size());
  }

  @Test
  void callIsLostAndSessionRenewedWhenAnotherRunAnswers() {
    peer.onCall(MonitorIT::stall);
    CallRecorder call = bed.tool(1);
    awaitProbes(2);
    peer.forgetSessions();
    peer.instance("two");
    assertEquals(UNKNOWN, call.take());
    LinkBed.until(() -> bed.events.contains("renewed"));
    peer.onCall(McpPeer::answerWithResult);
    assertEquals("answer " + McpPeer.result("2"), bed.tool(2).take());
    assertEquals(2, peer.http.posts("tools/call").size());
  }

  /** One address may be served by several runs: the one that knows the session has the call. */
  @Test
  void callGoesOnWhenAnotherRunAnswersButTheSessionIsKnown() {
    peer.onCall(MonitorIT::stall);
    CallRecorder call = bed.tool(1);
    health = (request, wire) -> wire.respond(200, "Fairlead-Instance: two\r\n", "{}");
    awaitProbes(8);
    assertEquals(List.of(), call.takeAll());
    assertTrue(bed.events.isEmpty());
  }

  @Test
  void callIsLostWhenTheServerIsGone() throws Exception {
    peer.onCall(MonitorIT::stall);
    CallRecorder call = bed.tool(1);
    awaitProbes(2);
    peer.http.die();
    assertEquals(UNKNOWN, call.take(Duration.ofSeconds(5)));
    peer.forgetSessions();
    peer.instance("two");
    peer.http.revive();
    LinkBed.until(() -> bed.events.contains("renewed"));
  }
}
