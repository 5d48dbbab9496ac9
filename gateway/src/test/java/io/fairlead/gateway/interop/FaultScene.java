package io.fairlead.gateway.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host, a bridge, a proxy, a packaged gateway and the ledger as an HTTP backend, in a row; one
 * fault meets all calls in flight.
 *
 * <p>Thread: the test's, but for {@link #watch}, which is the proxy's. Owner: the test.
 */
final class FaultScene implements AutoCloseable {
  private static final long BOUND_MILLIS = 10_000;
  private static final int SHORT_MILLIS = 1000;
  private static final int LONG_MILLIS = 3000;
  private static final Pattern KEY = Pattern.compile("\"key\":\"(call-\\d+)\"");

  /** What happens to the calls. */
  enum Fault {
    NONE("no fault"),
    FIRST_EVENT("cut after the first event"),
    FIRST_BYTE("cut before the first byte of the response"),
    GATEWAY("gateway killed and started again in mid-call"),
    BACKEND("backend killed and started again in mid-call");

    final String text;

    Fault(String text) {
      this.text = text;
    }
  }

  /**
   * What became of the calls.
   *
   * @param delivered answered with their own result
   * @param told answered with anything else: an error, or a result that says so
   * @param hung not answered within 10 s after the fault
   * @param once executed once
   * @param twice executed more than once
   * @param slowestMillis from the first call's start to the last answer
   * @param next whether one more call was then delivered within 10 s
   * @param sample one answer of those that were told
   */
  record Tally(
      int delivered,
      int told,
      int hung,
      long once,
      long twice,
      long slowestMillis,
      boolean next,
      String sample) {}

  private final Vertx vertx = Vertx.vertx();
  private final Fault fault;
  private final Ledger ledger;
  private final int backendPort = NodeProcess.freePort();
  private final JarGateway gateway;
  private final CutProxy proxy;
  private final Set<String> cut = new HashSet<>();
  private NodeProcess backend;

  FaultScene(Fault fault) throws Exception {
    Path directory = Files.createTempDirectory(NodeModules.path("logs"), "scene");
    this.fault = fault;
    this.ledger = Ledger.in(directory);
    startBackend();
    int port = NodeProcess.freePort();
    this.gateway = JarGateway.start(directory, Hocon.http("ledger", backendPort), port);
    this.proxy = CutProxy.start(vertx, port, this::watch);
  }

  /** What a bridge connects to. */
  String url() {
    return "http://127.0.0.1:" + proxy.port() + "/mcp";
  }

  /** Makes calls at the same time, and lets the fault happen to them. */
  Tally run(StdioHost host, int count) throws Exception {
    long start = System.nanoTime();
    Map<String, CompletableFuture<JsonObject>> calls = new LinkedHashMap<>();
    boolean kills = fault == Fault.GATEWAY || fault == Fault.BACKEND;
    for (int i = 0; i < count; i++) {
      String key = "call-" + i;
      calls.put(key, host.append(key, kills ? LONG_MILLIS : SHORT_MILLIS));
    }
    if (kills) {
      for (String key : calls.keySet()) {
        ledger.await(key);
      }
      restart();
    }
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BOUND_MILLIS);
    int delivered = 0;
    int hung = 0;
    String sample = "";
    long slowest = 0;
    for (Map.Entry<String, CompletableFuture<JsonObject>> call : calls.entrySet()) {
      String answer = answer(call.getValue(), end - System.nanoTime());
      if (answer.isEmpty()) {
        hung++;
      } else {
        slowest = Math.max(slowest, System.nanoTime() - start);
        if (isOwn(answer, call.getKey())) {
          delivered++;
        } else {
          sample = answer;
        }
      }
    }
    String next = answer(host.append("next", 100), TimeUnit.MILLISECONDS.toNanos(BOUND_MILLIS));
    if (fault == Fault.FIRST_EVENT || fault == Fault.FIRST_BYTE) {
      assertEquals(count, cuts());
    }
    long once = calls.keySet().stream().filter(key -> ledger.executions(key) == 1).count();
    long twice = calls.keySet().stream().filter(key -> ledger.executions(key) > 1).count();
    return new Tally(
        delivered,
        count - delivered - hung,
        hung,
        once,
        twice,
        TimeUnit.NANOSECONDS.toMillis(slowest),
        isOwn(next, "next"),
        sample);
  }

  @Override
  public void close() {
    proxy.close();
    gateway.close();
    backend.close();
    vertx.close().await();
  }

  /** Empty when there is none in time. */
  private static String answer(CompletableFuture<JsonObject> call, long nanos)
      throws InterruptedException {
    try {
      return call.get(Math.max(nanos, 0), TimeUnit.NANOSECONDS).encode();
    } catch (TimeoutException e) {
      return "";
    } catch (ExecutionException e) {
      return e.getCause().getMessage();
    }
  }

  private static boolean isOwn(String answer, String key) {
    return answer.contains("\"text\":\"" + key + "\"") && !answer.contains("\"isError\":true");
  }

  private void startBackend() throws InterruptedException {
    backend = NodeProcess.start("ledger.mjs", ledger.file(), "--http", backendPort);
    backend.awaitPort(backendPort);
  }

  private void restart() throws Exception {
    if (fault == Fault.GATEWAY) {
      gateway.restart();
    } else {
      backend.close();
      startBackend();
    }
  }

  /** Cuts each call's first request, and nothing else. */
  private void watch(CutProxy.Leg leg) {
    if (fault == Fault.FIRST_EVENT || fault == Fault.FIRST_BYTE) {
      leg.onAnswer(
          () -> {
            Matcher key = KEY.matcher(leg.request());
            if (key.find() && cut.add(key.group(1))) {
              cut(leg);
            }
          });
    }
  }

  private void cut(CutProxy.Leg leg) {
    if (fault == Fault.FIRST_BYTE) {
      leg.sever(CutProxy.Cut.RST);
    } else {
      leg.onId(id -> vertx.setTimer(50, now -> leg.sever(CutProxy.Cut.FIN)));
    }
  }

  private int cuts() {
    CompletableFuture<Integer> size = new CompletableFuture<>();
    proxy.vertx().runOnContext(now -> size.complete(cut.size()));
    return size.join();
  }
}
