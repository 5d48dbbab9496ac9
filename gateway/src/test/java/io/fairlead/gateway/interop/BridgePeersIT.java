package io.fairlead.gateway.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The packaged bridge in front of a server that is no Fairlead, made with the TypeScript SDK: each
 * call runs once and has one answer, whatever happens to its connection (docs/bridge.md, "What
 * becomes of a call").
 */
@NeedsNode
class BridgePeersIT {
  private static final long BOUND_MILLIS = 2000;
  private static final int CALL_MILLIS = 400;

  /** Outlives the bound, so that no answer can come from the call itself. */
  private static final int LONG_CALL_MILLIS = 5000;

  @TempDir Path directory;
  private Vertx vertx;
  private Ledger ledger;
  private int port;

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    ledger = Ledger.in(directory);
    port = NodeProcess.freePort();
  }

  @AfterEach
  void stop() {
    vertx.close().await();
  }

  @ParameterizedTest
  @EnumSource
  void callIsResumedWhenItsConnectionIsCutAndTheServerKeepsEvents(CutProxy.Cut cut)
      throws Exception {
    CompletableFuture<Boolean> severed = new CompletableFuture<>();
    try (NodeProcess server = server("--ids");
        CutProxy proxy = CutProxy.start(vertx, port, cutOnce("kept", cut, severed));
        StdioHost host = host(proxy.port())) {
      JsonObject answer = take(host.append("kept", CALL_MILLIS));
      assertDelivered("kept", answer, server);
      assertTrue(severed.get(10, TimeUnit.SECONDS));
      assertNextCallWorks(host, server);
    }
    assertEquals(1, ledger.executions("kept"));
  }

  @ParameterizedTest
  @EnumSource
  void callerIsToldWhenItsConnectionIsCutAndTheServerKeepsNoEvents(CutProxy.Cut cut)
      throws Exception {
    try (NodeProcess server = server("--no-ids");
        CutProxy proxy = CutProxy.start(vertx, port, leg -> {});
        StdioHost host = host(proxy.port())) {
      CompletableFuture<JsonObject> call = host.append("lost", LONG_CALL_MILLIS);
      ledger.await("lost");
      severAll(proxy, cut);
      assertOutcomeUnknown(call);
      assertNextCallWorks(host, server);
    }
    assertEquals(1, ledger.executions("lost"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--ids", "--no-ids"})
  void callerIsToldWhenTheServerRestartsAndTheSameBridgeGoesOn(String events) throws Exception {
    NodeProcess first = server(events);
    try (StdioHost host = host(port)) {
      CompletableFuture<JsonObject> call = host.append("lost", LONG_CALL_MILLIS);
      ledger.await("lost");
      first.close();
      try (NodeProcess second = server(events)) {
        assertOutcomeUnknown(call);
        assertNextCallWorks(host, second);
      }
    } finally {
      first.close();
    }
    assertEquals(1, ledger.executions("lost"));
  }

  /**
   * ReuseIT of the client races for the instant many times; here each reuse meets it (streams 32).
   */
  @Test
  void nothingIsLostWhenTheServerClosesIdleConnectionsAtTheInstantOfReuse() throws Exception {
    AtomicInteger closed = new AtomicInteger();
    Consumer<CutProxy.Leg> closeAtReuse =
        leg -> {
          if (leg.reuses() && leg.sever(CutProxy.Cut.FIN)) {
            closed.incrementAndGet();
          }
        };
    try (NodeProcess server = server("--json");
        CutProxy proxy = CutProxy.start(vertx, port, closeAtReuse);
        StdioHost host = host(proxy.port())) {
      for (int i = 0; i < 10; i++) {
        JsonObject tools = take(host.request("tools/list", new JsonObject()));
        assertTrue(tools.containsKey("result"), tools::encode);
        assertDelivered("call-" + i, take(host.append("call-" + i, 4)), server);
        assertEquals(1, ledger.executions("call-" + i));
      }
    }
    assertTrue(closed.get() > 0);
  }

  private NodeProcess server(String events) throws InterruptedException {
    NodeProcess started = NodeProcess.start("ledger.mjs", ledger.file(), "--http", port, events);
    started.awaitPort(port);
    return started;
  }

  private StdioHost host(int port) throws Exception {
    String url = "http://127.0.0.1:" + port + "/mcp";
    return StdioHost.start(BridgeCommand.of(url), Map.of(), directory.resolve("bridge.log"));
  }

  /** Severs the connection of a call soon after its first event id has passed. */
  private Consumer<CutProxy.Leg> cutOnce(
      String key, CutProxy.Cut cut, CompletableFuture<Boolean> severed) {
    return leg ->
        leg.onId(
            id -> {
              if (leg.request().contains("\"key\":\"" + key + "\"")) {
                vertx.setTimer(50, now -> severed.complete(leg.sever(cut)));
              }
            });
  }

  private static void severAll(CutProxy proxy, CutProxy.Cut cut) throws Exception {
    CompletableFuture<Long> severed = new CompletableFuture<>();
    proxy
        .vertx()
        .runOnContext(
            now -> severed.complete(proxy.open().stream().filter(leg -> leg.sever(cut)).count()));
    assertTrue(severed.get(10, TimeUnit.SECONDS) > 0);
  }

  private static JsonObject take(CompletableFuture<JsonObject> answer) throws Exception {
    return answer.get(10, TimeUnit.SECONDS);
  }

  private static void assertDelivered(String key, JsonObject answer, NodeProcess server) {
    JsonObject result = answer.getJsonObject("result", new JsonObject());
    String context = answer.encode() + "\n" + server.errors();
    assertFalse(result.getBoolean("isError", false), context);
    assertTrue(result.encode().contains("\"text\":\"" + key + "\""), context);
  }

  private static void assertOutcomeUnknown(CompletableFuture<JsonObject> call) throws Exception {
    JsonObject answer = call.get(BOUND_MILLIS, TimeUnit.MILLISECONDS);
    JsonObject result = answer.getJsonObject("result", new JsonObject());
    assertTrue(result.getBoolean("isError", false), answer::encode);
    JsonObject outcome = result.getJsonObject("_meta").getJsonObject("io.fairlead/outcome");
    assertEquals("unknown", outcome.getString("state"), answer::encode);
    assertFalse(outcome.getBoolean("retryable"), answer::encode);
  }

  private void assertNextCallWorks(StdioHost host, NodeProcess server) throws Exception {
    assertDelivered("next", take(host.append("next", 4)), server);
    assertEquals(1, ledger.executions("next"));
  }
}
