package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.StormProxy.Fate;
import io.fairlead.gateway.StormProxy.Fault;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The storm of {@link BridgeStormIT} as a stdio client meets it, through the bridge's process: each
 * request has one answer or was cancelled, no call runs twice, and the process ends in peace.
 */
class BridgeProcessStormIT {
  private static final int PARALLEL = 32;

  @TempDir Path directory;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random fates = new Random(seed);
  private final Random draws = new Random(seed + 1);
  private final Map<Integer, JsonObject> answers = new HashMap<>();
  private final Set<Integer> cancelled = new HashSet<>();
  private final Set<Integer> waiting = new HashSet<>();
  private volatile boolean calm = true;

  @Test
  @DisplayName("streams 43, 49: requests = answers + cancelled, executions at most 1, clean end")
  void everyRequestIsAnsweredOnce() throws Exception {
    storm(300, 1);
  }

  @Test
  @Tag("soak")
  void everyRequestIsAnsweredOnceForLong() throws Exception {
    storm(2000, 6);
  }

  private void storm(int calls, int restarts) throws Exception {
    System.out.println("storm through the process: seed=" + seed);
    Path ledger = Files.createFile(directory.resolve("ledger"));
    TestGateway gateway = gateway(0, ledger);
    try (StormProxy proxy = new StormProxy(gateway.port(), this::fate);
        BridgeProcess bridge = BridgeProcess.ready(proxy.port(), "--probe-interval", "200ms")) {
      calm = false;
      long begun = System.nanoTime();
      for (int id = 1; id <= calls; id++) {
        call(bridge, id);
        while (waiting.size() >= PARALLEL) {
          take(bridge);
        }
        if (id % (calls / (restarts + 1)) == 0 && id + PARALLEL < calls) {
          int port = gateway.port();
          gateway.close();
          gateway = gateway(port, ledger);
        }
      }
      while (!waiting.isEmpty()) {
        take(bridge);
      }
      calm = true;
      System.out.println(story(proxy, (System.nanoTime() - begun) / 1_000_000));
      bridge.closeStdin();
      assertEquals(0, bridge.exitCode(10), bridge::log);
      assertTrue(bridge.isQuiet(), () -> "seed=" + seed);
    } finally {
      gateway.close();
    }
    check(calls, ledger);
  }

  private static TestGateway gateway(int port, Path ledger) throws Exception {
    String command = new JsonArray(StormServer.command(ledger)).encode();
    return TestGateway.start(
        "listen.port = %d, shutdown.drain = 20ms\n".formatted(port)
            + "limits { calls-per-session = 512, streams-per-session = 16384 }\n"
            + "events.retry = 20ms\n"
            + "backends.storm { type = stdio, command = "
            + command
            + " }\n");
  }

  private synchronized Fate fate(String head) {
    boolean call = ByteCutter.call(head) > 0;
    boolean resume = head.toLowerCase(Locale.ROOT).contains("last-event-id");
    int percent = call ? 40 : resume ? 25 : 5;
    if (calm || fates.nextInt(100) >= percent) {
      return Fate.NONE;
    }
    Fault[] all = Fault.values();
    Fault fault = all[1 + fates.nextInt(all.length - 1)];
    return new Fate(fault, fates.nextInt(3) == 0, fates.nextInt(900), 20 + fates.nextInt(200));
  }

  private void call(BridgeProcess bridge, int id) throws Exception {
    String arguments = "{\"name\":\"run\",\"arguments\":{\"key\":\"k" + id + "\"}}";
    bridge.send(McpSession.request("" + id, "tools/call", arguments));
    if (draws.nextInt(10) == 0) {
      JsonObject params = new JsonObject().put("requestId", id);
      JsonObject cancel = new JsonObject().put("jsonrpc", "2.0");
      bridge.send(cancel.put("method", "notifications/cancelled").put("params", params).encode());
      cancelled.add(id);
    } else {
      waiting.add(id);
    }
  }

  /** The next answer; one to a cancelled call may have been under way. */
  private void take(BridgeProcess bridge) throws Exception {
    JsonObject answer;
    try {
      answer = bridge.next(message -> message.containsKey("id"));
    } catch (AssertionError silence) {
      throw new AssertionError("seed=" + seed + " waiting=" + waiting, silence);
    }
    int id = answer.getInteger("id");
    assertTrue(waiting.remove(id) || cancelled.contains(id), () -> "seed=" + seed + " id=" + id);
    assertEquals(null, answers.put(id, answer), () -> "seed=" + seed + " id=" + id);
  }

  private String story(StormProxy proxy, long millis) {
    Map<String, Integer> counts = new TreeMap<>();
    answers.values().forEach(answer -> counts.merge(state(answer), 1, Integer::sum));
    return "storm through the process: seed=%d cancelled=%d answers=%s faults=%s ms=%d"
        .formatted(seed, cancelled.size(), counts, proxy.thrown(), millis);
  }

  private static String state(JsonObject answer) {
    JsonObject result = answer.getJsonObject("result");
    if (result == null) {
      return "refused";
    }
    JsonObject meta = result.getJsonObject("_meta", new JsonObject());
    return meta.getJsonObject("io.fairlead/outcome", new JsonObject()).getString("state", "done");
  }

  private void check(int calls, Path ledger) throws Exception {
    Map<String, Integer> executions = new HashMap<>();
    List<String> lines = Files.readAllLines(ledger);
    lines.forEach(key -> executions.merge(key, 1, Integer::sum));
    int done = 0;
    for (int id = 1; id <= calls; id++) {
      int ran = executions.getOrDefault("k" + id, 0);
      String state = cancelled.contains(id) ? "cancelled" : state(answers.get(id));
      String story = "seed=" + seed + " id=" + id + " ran=" + ran + " " + state;
      assertTrue(ran <= 1, story);
      assertTrue(!state.equals("done") || ran == 1, story);
      assertTrue(!state.equals("not_dispatched") || ran == 0, story);
      done += state.equals("done") ? 1 : 0;
    }
    assertTrue(done > calls / 3, "seed=" + seed + " done=" + done);
  }
}
