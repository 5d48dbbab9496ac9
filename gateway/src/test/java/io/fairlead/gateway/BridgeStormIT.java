package io.fairlead.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.client.Dispatch;
import io.fairlead.client.DispatchListener;
import io.fairlead.client.HttpLink;
import io.fairlead.client.Outcome;
import io.fairlead.client.Probing;
import io.fairlead.gateway.StormProxy.Fate;
import io.fairlead.gateway.StormProxy.Fault;
import io.fairlead.wire.Envelope;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two thousand calls of a child process through a link as the bridge uses it, while connections are
 * cut and stalled, a proxy answers in the server's place, the gateway is restarted and its child
 * processes are killed.
 *
 * <p>What befalls the n-th call, resume and other request is drawn from the seed; which call is the
 * n-th, and how far it is when the gateway goes, is up to the machine.
 */
class BridgeStormIT {
  private static final int CALLS = 2000;
  private static final int PARALLEL = 32;
  private static final int RESTARTS = 6;
  private static final int KILLS = 10;
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final Probing OFTEN =
      new Probing(Duration.ofMillis(100), Duration.ofMillis(500), 3);
  private static final TestGateway.Holdings NOTHING = new TestGateway.Holdings(0, 0, 0, 0, 0, 0);

  @TempDir Path directory;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random callDraws = new Random(seed);
  private final Random resumeDraws = new Random(seed + 1);
  private final Random otherDraws = new Random(seed + 2);
  private final Random cancelDraws = new Random(seed + 3);
  private final Map<Integer, String> outcomes = new ConcurrentHashMap<>();
  private final Semaphore ended = new Semaphore(0);
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private TestGateway gateway;
  private HttpLink link;
  private Path ledger;
  private int next;
  private int kills;
  private int restarts;
  private volatile boolean calm = true;

  @AfterEach
  void close() {
    vertx.close().await();
    if (gateway != null) {
      gateway.close();
    }
  }

  @Test
  @DisplayName("streams 31, 40, 42, 49: requests = answers + cancelled, executions at most 1")
  void everyCallEndsOnceWhateverFails() throws Exception {
    ledger = Files.createFile(directory.resolve("ledger"));
    gateway = startGateway(0);
    try (StormProxy proxy = new StormProxy(gateway.port(), this::fate)) {
      link = CutLink.open(vertx, loop, proxy.port());
      long begun = System.nanoTime();
      try {
        storm();
        leave(proxy);
      } finally {
        long millis = Duration.ofNanos(System.nanoTime() - begun).toMillis();
        System.out.println(
            story()
                + (" faults=" + proxy.thrown() + " restarts=" + restarts)
                + (" kills=" + kills + " ms=" + millis));
      }
    }
    check();
  }

  private void storm() throws Exception {
    calm = false;
    loop.runOnContext(
        v -> {
          link.monitor(OFTEN);
          for (int i = 0; i < PARALLEL; i++) {
            callNext();
          }
        });
    rage();
    calm = true;
  }

  /** Nothing is left: of the link in the gateway, at the proxy, and of the gateway itself. */
  private void leave(StormProxy proxy) {
    onLoop(
        () -> {
          assertEquals(0, link.calls(), this::story);
          return link.close();
        });
    TestGateway.until("nothing of the link", () -> gateway.holdings().equals(NOTHING));
    TestGateway.until("no connection", () -> proxy.open() == 0);
    assertLeftNothing();
  }

  private TestGateway startGateway(int port) throws Exception {
    String config =
        "listen.port = %d, shutdown.drain = 20ms\n".formatted(port)
            + "limits { calls-per-session = 512, streams-per-session = 16384 }\n"
            + "events { retry = 20ms, ttl = 1s, max-bytes-per-session = 64MiB }\n"
            + "sessions { abandon-timeout = 3s, idle-timeout = 3s }\n"
            + "backends.storm { type = stdio, command = %s }\n"
                .formatted(new JsonArray(StormServer.command(ledger)).encode());
    return TestGateway.start(config);
  }

  /** Restarts and kills at drawn numbers of calls, until the last call has ended. */
  private void rage() throws Exception {
    Random draws = new Random(seed + 4);
    Map<Integer, Integer> blows = new TreeMap<>();
    for (int i = 0; i < RESTARTS + KILLS; i++) {
      int at = CALLS / 50 + draws.nextInt(CALLS * 9 / 10);
      blows.put(at, i < RESTARTS ? -1 : draws.nextInt(100));
    }
    long end = System.nanoTime() + BOUND.toNanos();
    for (int i = 1; i <= CALLS; i++) {
      assertTrue(
          ended.tryAcquire(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS),
          () -> "not in time: " + story());
      Integer blow = blows.get(i);
      if (blow != null && blow < 0) {
        restart();
      } else if (blow != null) {
        kill(blow);
      }
    }
  }

  private void restart() throws Exception {
    int port = gateway.port();
    assertLeftNothing();
    gateway.close();
    gateway = startGateway(port);
    restarts++;
  }

  private void kill(int draw) {
    List<ProcessHandle> children = ProcessHandle.current().children().toList();
    if (!children.isEmpty()) {
      children.get(draw % children.size()).destroyForcibly();
      kills++;
    }
  }

  private void assertLeftNothing() {
    gateway.drain();
    assertEquals(NOTHING, gateway.holdings(), this::story);
    assertEquals(0, gateway.<Integer>read(parts -> parts.services().loop().timers()), this::story);
    TestGateway.until(
        "no child process", () -> ProcessHandle.current().children().findAny().isEmpty());
  }

  private synchronized Fate fate(String head) {
    if (calm) {
      return Fate.NONE;
    }
    if (ByteCutter.call(head) > 0) {
      return fate(callDraws, 50);
    }
    boolean resume = head.toLowerCase(Locale.ROOT).contains("last-event-id");
    return resume ? fate(resumeDraws, 30) : fate(otherDraws, 8);
  }

  private static Fate fate(Random draws, int percent) {
    boolean struck = draws.nextInt(100) < percent;
    int kind = draws.nextInt(20);
    boolean upstream = draws.nextInt(3) == 0;
    int offset = draws.nextInt(900);
    int millis = 20 + draws.nextInt(300);
    if (!struck) {
      return Fate.NONE;
    }
    if (kind < 6) {
      return new Fate(Fault.FIN, upstream, offset, 0);
    } else if (kind < 12) {
      return new Fate(Fault.RST, upstream, offset, 0);
    } else if (kind < 17) {
      return new Fate(Fault.STALL, upstream, offset, millis);
    }
    Fault[] all = Fault.values();
    return new Fate(all[all.length - 1 - kind % 3], false, 0, 0);
  }

  private void onLoop(Supplier<Future<Void>> task) {
    Future.<Void>future(done -> loop.runOnContext(v -> task.get().onComplete(done))).await();
  }

  private void callNext() {
    if (next == CALLS) {
      return;
    }
    int number = ++next;
    Recorder recorder = new Recorder(number);
    Dispatch call = link.call(CutLink.request(number, "run", "k" + number), recorder);
    boolean cancels = cancelDraws.nextInt(8) == 0;
    int when = 1 + cancelDraws.nextInt(80);
    if (cancels) {
      vertx.setTimer(when, fired -> recorder.cancel(call));
    }
  }

  private String story() {
    Map<String, Integer> counts = new TreeMap<>();
    outcomes.values().forEach(o -> counts.merge(o.replaceAll(" k\\d+$", ""), 1, Integer::sum));
    return "storm seed=" + seed + " calls=" + CALLS + " outcomes=" + counts;
  }

  private void check() throws Exception {
    Map<String, Integer> executions = new TreeMap<>();
    Files.readAllLines(ledger).forEach(key -> executions.merge(key, 1, Integer::sum));
    int answered = 0;
    for (int number = 1; number <= CALLS; number++) {
      String outcome = outcomes.get(number);
      int ran = executions.getOrDefault("k" + number, 0);
      String story = "seed=" + seed + " call=" + number + " ran=" + ran + " " + outcome;
      assertTrue(ran <= 1, story);
      assertTrue(isTrue(number, outcome, ran), story);
      answered += outcome.startsWith("done") ? 1 : 0;
    }
    assertTrue(answered > CALLS / 2, this::story);
  }

  /** Whether what the client was told is what happened. */
  private static boolean isTrue(int number, String outcome, int ran) {
    if (outcome.equals("done k" + number) || outcome.startsWith("completed_result_evicted")) {
      return ran == 1;
    }
    if (outcome.startsWith("not_dispatched") || outcome.equals("refused draining")) {
      return ran == 0;
    }
    return outcome.startsWith("unknown") || outcome.equals("cancelled");
  }

  /** What becomes of one call. Thread: the link's loop. */
  private final class Recorder implements DispatchListener {
    private final int number;

    private Recorder(int number) {
      this.number = number;
    }

    private void cancel(Dispatch call) {
      if (!outcomes.containsKey(number)) {
        call.cancel("storm");
        end("cancelled");
      }
    }

    /** After a call that failed the next waits: a server that is away gets no thousand calls. */
    private void end(String outcome) {
      String before = outcomes.put(number, outcome);
      if (before == null) {
        ended.release();
        vertx.setTimer(outcome.startsWith("done") ? 1 : 250, fired -> callNext());
      } else {
        outcomes.put(number, "twice: " + before + ", " + outcome);
      }
    }

    @Override
    public void message(Envelope message) {}

    @Override
    public void answer(Envelope response) {
      JsonObject answer = new JsonObject(new String(response.bytes(), UTF_8));
      JsonObject result = answer.getJsonObject("result");
      if (result == null) {
        JsonObject error = answer.getJsonObject("error");
        end("refused " + error.getJsonObject("data", error).getString("reason"));
        return;
      }
      JsonObject outcome =
          result.getJsonObject("_meta", new JsonObject()).getJsonObject("io.fairlead/outcome");
      end(
          outcome == null
              ? result.getJsonArray("content").getJsonObject(0).getString("text")
              : outcome.getString("state") + " gateway " + outcome.getString("reason"));
    }

    @Override
    public void lost(Outcome outcome) {
      end(outcome.state().name().toLowerCase(Locale.ROOT) + " link " + outcome.reason());
    }
  }
}
