package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Under any mixture of faults each call ends exactly once or was cancelled, no tool runs twice, and
 * nothing stays open (streams 43, 49).
 */
class RandomFaultIT {
  private static final int BATCH = 100;
  private static final String NOTE = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}";

  @Test
  void everyCallEndsOnceUnderRandomFaults() throws Exception {
    run(System.nanoTime(), 1000);
  }

  @Test
  @Tag("soak")
  void everyCallEndsOnceUnderManyRandomFaults() throws Exception {
    run(System.nanoTime(), 10_000);
  }

  private static void run(long seed, int calls) throws Exception {
    try (McpPeer peer = new McpPeer();
        LinkBed bed = new LinkBed(peer.http.url())) {
      Faults faults = new Faults(new Random(seed));
      peer.onCall(faults::call).onResume(faults::resume);
      Random random = new Random(seed + 1);
      for (int first = 1; first <= calls; first += BATCH) {
        runBatch(bed, random, first, seed);
      }
      LinkBed.until(() -> bed.onLoop(() -> idle(bed)));
      LinkBed.until(() -> peer.http.connections() == 0);
      assertEachRanAtMostOnce(peer, seed);
    }
  }

  private static io.vertx.core.Future<Boolean> idle(LinkBed bed) {
    return io.vertx.core.Future.succeededFuture(bed.link.calls() == 0);
  }

  private static void runBatch(LinkBed bed, Random random, int first, long seed) {
    Map<Integer, CallRecorder> waiting = new ConcurrentHashMap<>();
    Set<CallRecorder> cancelled = new HashSet<>();
    for (int id = first; id < first + BATCH; id++) {
      CallRecorder recorder = new CallRecorder();
      Dispatch call = bed.call("tools/call", id, recorder);
      if (random.nextInt(4) == 0) {
        cancelled.add(recorder);
        bed.run(() -> call.cancel("random"));
        recorder.takeAll();
      } else {
        waiting.put(id, recorder);
      }
    }
    waiting.forEach((id, recorder) -> assertEndsOnce(id, recorder, seed));
    bed.run(() -> {});
    cancelled.forEach(recorder -> assertEquals(List.of(), recorder.takeAll(), "seed=" + seed));
  }

  private static void assertEndsOnce(int id, CallRecorder recorder, long seed) {
    String told = recorder.take();
    while (told.startsWith("message ") || told.startsWith("polled ")) {
      told = recorder.take();
    }
    boolean answered = told.equals("answer " + McpPeer.result("" + id));
    assertTrue(answered || told.startsWith("lost UNKNOWN "), "seed=" + seed + " " + told);
    assertEquals(List.of(), recorder.takeAll(), "seed=" + seed);
  }

  private static void assertEachRanAtMostOnce(McpPeer peer, long seed) {
    List<String> sent = peer.http.posts("tools/call").stream().map(FaultyPeer.Request::id).toList();
    assertEquals(Set.copyOf(sent).size(), sent.size(), "seed=" + seed);
  }

  /** What the server does with a call and with each attempt to resume it, by chance. */
  private static final class Faults {
    private final Random random;
    private final Map<String, String> idOfCursor = new ConcurrentHashMap<>();

    private Faults(Random random) {
      this.random = random;
    }

    private synchronized int next(int bound) {
      return random.nextInt(bound);
    }

    private void call(FaultyPeer.Request request, Wire wire) throws IOException {
      switch (next(8)) {
        case 0 -> wire.rst();
        case 1 -> wire.respond(502, "", "");
        case 2 -> wire.json(McpPeer.result(request));
        default -> leg(request.id(), wire);
      }
    }

    private void resume(FaultyPeer.Request request, Wire wire) throws IOException {
      String id = idOfCursor.get(request.header("Last-Event-ID").orElse(""));
      switch (next(10)) {
        case 0 -> wire.rst();
        case 1 -> wire.respond(503, "", "");
        case 2 -> wire.respond(400, "", "");
        default -> leg(id, wire);
      }
    }

    /** Some events, perhaps the answer, then one of the ends. */
    private void leg(String id, Wire wire) throws IOException {
      wire.sse(next(2) == 0 ? "" : "X-Any: header\r\n");
      if (next(2) == 0) {
        wire.chunk("retry: " + next(30) + "\n: comment\n\n");
      }
      for (int events = next(3); events > 0; events--) {
        event(id, wire, NOTE);
      }
      if (next(3) == 0) {
        event(id, wire, McpPeer.result(id));
      }
      switch (next(4)) {
        case 0 -> wire.rst();
        case 1 -> wire.chunk("id: never\ndata: half").rst();
        case 2 -> wire.fin();
        default -> wire.end();
      }
    }

    private void event(String id, Wire wire, String data) throws IOException {
      String cursor = id + "-" + idOfCursor.size() + "-" + next(1 << 30);
      idOfCursor.put(cursor, id);
      wire.event(cursor, data);
    }
  }
}
