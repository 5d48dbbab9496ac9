package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.client.Dispatch;
import io.fairlead.client.DispatchListener;
import io.fairlead.client.HttpLink;
import io.fairlead.client.Outcome;
import io.fairlead.gateway.ByteCutter.Cut;
import io.fairlead.gateway.backend.LocalBackend;
import io.fairlead.gateway.backend.ToolCall;
import io.fairlead.gateway.backend.ToolResult;
import io.fairlead.wire.Envelope;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A thousand calls whose POSTs and resumes are cut at random, and some of which are cancelled. */
class FaultStormIT {
  private static final int CALLS = 1000;
  private static final int PARALLEL = 16;

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);
  private final Map<String, AtomicInteger> executions = new ConcurrentHashMap<>();
  private final Map<Integer, String> outcomes = new ConcurrentHashMap<>();
  private final Set<Integer> cancelled = ConcurrentHashMap.newKeySet();
  private final Semaphore ended = new Semaphore(0);
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private HttpLink link;
  private int next;

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private Future<JsonObject> run(ToolCall call) {
    String key = call.arguments().getString("key");
    executions.computeIfAbsent(key, k -> new AtomicInteger()).incrementAndGet();
    call.log("info", "", "begun");
    return vertx
        .timer(1 + random.nextInt(30), TimeUnit.MILLISECONDS)
        .map(
            v -> {
              call.log("info", "", "done");
              return ToolResult.text("done " + key);
            });
  }

  /** Calls are cut more often than not, resumes every other time. */
  private Cut cut(String head) {
    boolean call = ByteCutter.call(head) > 0;
    boolean resume = head.startsWith("GET") && head.toLowerCase().contains("last-event-id");
    if (call ? random.nextInt(4) == 0 : !resume || random.nextBoolean()) {
      return Cut.NEVER;
    }
    return new Cut(random.nextInt(3) == 0, random.nextInt(900), random.nextBoolean());
  }

  @Test
  @DisplayName("streams 31, 43, 49: answers = calls - cancelled, executions at most 1")
  void everyCallEndsOnceInAStormOfCutsAndCancels() throws Exception {
    LocalBackend tools =
        LocalBackend.named("tools")
            .tool("run", "", new JsonObject().put("type", "object"), this::run);
    String limits =
        "limits { calls-per-session = 512, streams-per-session = 16384 }\n"
            + "events { retry = 20ms, max-bytes-per-session = 64MiB }\n";
    try (TestGateway gateway = TestGateway.start(limits, tools);
        ByteCutter cutter = new ByteCutter(gateway.port(), this::cut)) {
      link = CutLink.open(vertx, loop, cutter.port());
      loop.runOnContext(
          v -> {
            for (int i = 0; i < PARALLEL; i++) {
              callNext();
            }
          });
      assertTrue(
          ended.tryAcquire(CALLS, Duration.ofSeconds(60).toSeconds(), TimeUnit.SECONDS),
          () -> "seed=" + seed + " ended=" + (outcomes.size() + cancelled.size()));
      check();
      assertEquals(0, link.calls());
      TestGateway.until("no call is left", () -> gateway.holdings().calls() == 0);
    }
  }

  private void callNext() {
    if (next == CALLS) {
      return;
    }
    int number = ++next;
    Recorder recorder = new Recorder(number);
    Dispatch call = link.call(CutLink.request(number, "run", "k" + number), recorder);
    if (random.nextInt(5) == 0) {
      vertx.setTimer(1 + random.nextInt(60), fired -> recorder.cancel(call));
    }
  }

  private void check() {
    int answered = 0;
    for (int number = 1; number <= CALLS; number++) {
      String story = "seed=" + seed + " call=" + number + " " + outcomes.get(number);
      int ran = executions.getOrDefault("k" + number, new AtomicInteger()).get();
      assertTrue(ran <= 1, story);
      if (!cancelled.contains(number)) {
        String expected = ran == 1 ? "answer done k" + number : "NOT_DISPATCHED not_dispatched";
        assertEquals(expected, outcomes.get(number), story);
        answered += ran;
      }
    }
    assertTrue(answered > CALLS / 4 && cancelled.size() > CALLS / 50, "seed=" + seed);
  }

  /** What becomes of one call. Thread: the link's loop. */
  private final class Recorder implements DispatchListener {
    private final int number;
    private boolean done;

    private Recorder(int number) {
      this.number = number;
    }

    private void cancel(Dispatch call) {
      if (!done) {
        cancelled.add(number);
        call.cancel("storm");
        end();
      }
    }

    private void end() {
      done = true;
      ended.release();
      callNext();
    }

    private void ended(String outcome) {
      outcomes.merge(number, outcome, (first, second) -> "twice: " + first + ", " + second);
      if (done) {
        cancelled.remove(number);
        outcomes.put(number, "told after its end: " + outcome);
      } else {
        end();
      }
    }

    @Override
    public void message(Envelope message) {}

    @Override
    public void answer(Envelope response) {
      String text = new String(response.bytes(), java.nio.charset.StandardCharsets.UTF_8);
      ended(
          "answer "
              + new JsonObject(text)
                  .getJsonObject("result")
                  .getJsonArray("content")
                  .getJsonObject(0)
                  .getString("text"));
    }

    @Override
    public void lost(Outcome outcome) {
      ended(outcome.state() + " " + outcome.reason());
    }
  }
}
