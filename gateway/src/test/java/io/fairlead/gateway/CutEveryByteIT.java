package io.fairlead.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * One call, cut at every byte of its request and of its response, by FIN and by RST: its result
 * arrives, or it is proven that it did not run.
 */
class CutEveryByteIT {
  private static final int PARALLEL = 16;
  private static final Duration BOUND = Duration.ofSeconds(60);

  private final Map<String, AtomicInteger> executions = new ConcurrentHashMap<>();
  private final Map<Integer, String> outcomes = new ConcurrentHashMap<>();
  private final List<Cut> plan = new ArrayList<>(List.of(Cut.NEVER, Cut.NEVER));
  private final Semaphore ended = new Semaphore(0);
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private HttpLink link;
  private int next = 1;

  /** Says five things, then answers. */
  private Future<JsonObject> run(ToolCall call) {
    String key = call.arguments().getString("key");
    executions.computeIfAbsent(key, k -> new AtomicInteger()).incrementAndGet();
    for (int i = 1; i <= 5; i++) {
      call.log("info", "", "step " + i);
    }
    return Future.succeededFuture(ToolResult.text("done " + key));
  }

  @Test
  @DisplayName("streams 2, 31, 38: cut at every byte, both ways, FIN and RST")
  void callEndsWithItsResultOrAProofWhenItIsCutAtAnyByte() throws Exception {
    LocalBackend tools =
        LocalBackend.named("tools")
            .tool("run", "", new JsonObject().put("type", "object"), this::run);
    String limits =
        "limits { calls-per-session = 512, streams-per-session = 16384 }\n"
            + "events { retry = 20ms, max-bytes-per-session = 64MiB }\n";
    try (TestGateway gateway = TestGateway.start(limits, tools);
        ByteCutter cutter =
            new ByteCutter(gateway.port(), head -> plan.get((int) ByteCutter.call(head)))) {
      link = CutLink.open(vertx, loop, cutter.port());
      callUpTo(1);
      assertEquals("answer done k1", outcomes.get(1));
      ByteCutter.Passed whole = cutter.passed(1);
      for (boolean reset : new boolean[] {false, true}) {
        for (long at = 0; at <= whole.up(); at++) {
          plan.add(new Cut(true, at, reset));
        }
        for (long at = 0; at <= whole.down(); at++) {
          plan.add(new Cut(false, at, reset));
        }
      }
      assertTrue(whole.up() > 300 && whole.down() > 800, whole::toString);
      callUpTo(plan.size() - 1);
      check();
    } finally {
      vertx.close().await();
    }
  }

  /** Makes the calls that were not made yet, up to the number, some at a time; waits for all. */
  private void callUpTo(int last) throws InterruptedException {
    loop.runOnContext(
        v -> {
          for (int i = 0; i < PARALLEL; i++) {
            callNext(last);
          }
        });
    long deadline = System.nanoTime() + BOUND.toNanos();
    while (outcomes.size() < last) {
      assertTrue(System.nanoTime() < deadline, () -> story("not in time"));
      ended.tryAcquire(1, TimeUnit.SECONDS);
    }
  }

  private void callNext(int last) {
    if (next > last) {
      return;
    }
    int number = next++;
    link.call(
        CutLink.request(number, "run", "k" + number),
        new DispatchListener() {
          @Override
          public void message(Envelope message) {}

          @Override
          public void answer(Envelope response) {
            JsonObject answer = new JsonObject(new String(response.bytes(), UTF_8));
            String text =
                answer
                    .getJsonObject("result")
                    .getJsonArray("content")
                    .getJsonObject(0)
                    .getString("text");
            ended("answer " + text);
          }

          @Override
          public void lost(Outcome outcome) {
            ended(outcome.state() + " " + outcome.reason());
          }

          private void ended(String outcome) {
            String before = outcomes.put(number, outcome);
            if (before != null) {
              outcomes.put(number, "twice: " + before + ", " + outcome);
            }
            ended.release();
            callNext(last);
          }
        });
  }

  private void check() {
    Map<String, Integer> counts = new TreeMap<>();
    for (int number = 1; number < plan.size(); number++) {
      String outcome = outcomes.get(number);
      int ran = executions.getOrDefault("k" + number, new AtomicInteger()).get();
      boolean answered = outcome.equals("answer done k" + number) && ran == 1;
      boolean proven = outcome.equals("NOT_DISPATCHED not_dispatched") && ran == 0;
      assertTrue(
          answered || proven, number + " " + plan.get(number) + ": " + outcome + " ran=" + ran);
      counts.merge(answered ? "answered" : "proven", 1, Integer::sum);
    }
    assertTrue(counts.get("answered") > 1000 && counts.get("proven") > 500, story("" + counts));
  }

  private String story(String counts) {
    List<String> open = new ArrayList<>();
    for (int number = 1; number < plan.size() && open.size() < 10; number++) {
      if (!outcomes.containsKey(number) && number < next) {
        open.add(number + " " + plan.get(number) + " ran=" + executions.get("k" + number));
      }
    }
    return counts + " open=" + open;
  }
}
