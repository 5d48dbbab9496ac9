package io.fairlead.gateway.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A backend that fails in the middle of a call: the caller is told in time, nothing runs twice, and
 * the next call works (streams 24).
 */
@NeedsNode
class BackendFaultsIT {
  private static final long BOUND_MILLIS = 2000;
  private static final String SCRIPT = "ledger.mjs";

  @TempDir Path directory;
  private Ledger ledger;
  private Vertx vertx;

  @BeforeEach
  void start() {
    ledger = Ledger.in(directory);
    vertx = Vertx.vertx();
  }

  @AfterEach
  void stop() {
    vertx.close().await();
  }

  @Test
  void callerIsToldWhenAChildDies() throws Exception {
    try (EmbeddedGateway gateway =
            EmbeddedGateway.start(Hocon.stdio("ledger", SCRIPT, ledger.file(), "--stdio"));
        SdkClient client = SdkClient.connect(gateway.url(), directory)) {
      CompletableFuture<CallToolResult> call = call(client, "die", "lost");
      ledger.await("lost");
      assertOutcomeUnknown(call);
      assertNextCallWorks(client);
    }
    assertEquals(1, ledger.executions("lost"));
  }

  @Test
  void callerIsToldWhenAnHttpBackendIsKilledAndTheNextCallFindsItAgain() throws Exception {
    int port = NodeProcess.freePort();
    NodeProcess first = backend(port);
    try (EmbeddedGateway gateway = EmbeddedGateway.start(Hocon.http("ledger", port));
        SdkClient client = SdkClient.connect(gateway.url(), directory)) {
      CompletableFuture<CallToolResult> call = call(client, "append", "lost");
      ledger.await("lost");
      first.close();
      assertOutcomeUnknown(call);
      try (NodeProcess second = backend(port)) {
        assertNextCallWorks(client);
        assertEquals("", second.errors());
      }
    }
    assertEquals(1, ledger.executions("lost"));
  }

  @Test
  void aRestartOfAnHttpBackendBetweenCallsCostsNoCall() throws Exception {
    int port = NodeProcess.freePort();
    NodeProcess first = backend(port);
    try (EmbeddedGateway gateway = EmbeddedGateway.start(Hocon.http("ledger", port));
        SdkClient client = SdkClient.connect(gateway.url(), directory)) {
      assertEquals("first", client.text("append", Map.of("key", "first")));
      first.close();
      try (NodeProcess second = backend(port)) {
        assertNextCallWorks(client);
        assertEquals("", second.errors());
      }
    }
  }

  /** It answers 400 to a session that it does not know, not 404. */
  @Test
  void aRestartOfServerEverythingBetweenCallsCostsNoCall() throws Exception {
    int port = NodeProcess.freePort();
    NodeProcess first = everything(port);
    try (EmbeddedGateway gateway = EmbeddedGateway.start(Hocon.http("web", port));
        SdkClient client = SdkClient.connect(gateway.url(), directory)) {
      assertEquals("Echo: first", client.text("echo", Map.of("message", "first")));
      first.close();
      try (NodeProcess second = everything(port)) {
        assertEquals(
            "Echo: second", client.text("echo", Map.of("message", "second")), second::errors);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void callSurvivesACutOfItsBackendStreamWithEventIds(CutProxy.Cut cut) throws Exception {
    int port = NodeProcess.freePort();
    try (NodeProcess backend = backend(port);
        CutProxy proxy = CutProxy.start(vertx, port, leg -> {});
        EmbeddedGateway gateway = EmbeddedGateway.start(Hocon.http("ledger", proxy.port()));
        SdkClient client = SdkClient.connect(gateway.url(), directory)) {
      CompletableFuture<CallToolResult> call = call(client, "append", "kept");
      // from the first progress on, the gateway has an event id to resume from
      client.awaitProgress();
      severAll(proxy, cut);
      CallToolResult result = call.get(10, TimeUnit.SECONDS);
      assertEquals("kept", SdkClient.text(result), backend::errors);
      assertEquals(
          List.of("append:1", "append:2", "append:3", "append:4"),
          client.progressOf("append", 4),
          backend::errors);
    }
    assertEquals(List.of("kept"), ledger.lines());
  }

  @ParameterizedTest
  @EnumSource
  void callerIsToldWhenABackendStreamWithoutEventIdsIsCut(CutProxy.Cut cut) throws Exception {
    int port = NodeProcess.freePort();
    try (NodeProcess backend = backend(port, "--no-ids");
        CutProxy proxy = CutProxy.start(vertx, port, leg -> {});
        EmbeddedGateway gateway = EmbeddedGateway.start(Hocon.http("ledger", proxy.port()));
        SdkClient client = SdkClient.connect(gateway.url(), directory)) {
      CompletableFuture<CallToolResult> call = call(client, "append", "lost");
      ledger.await("lost");
      severAll(proxy, cut);
      assertOutcomeUnknown(call);
      assertNextCallWorks(client);
      assertEquals("", backend.errors());
    }
    assertEquals(1, ledger.executions("lost"));
  }

  private NodeProcess backend(int port, Object... options) throws InterruptedException {
    Object ids = options.length == 0 ? "--ids" : options[0];
    NodeProcess started = NodeProcess.start(SCRIPT, ledger.file(), "--http", port, ids);
    started.awaitPort(port);
    return started;
  }

  private static NodeProcess everything(int port) throws InterruptedException {
    NodeProcess started =
        NodeProcess.start(
            Map.of("PORT", String.valueOf(port)),
            line -> {},
            NpmBackendsIT.EVERYTHING,
            "streamableHttp");
    started.awaitPort(port);
    return started;
  }

  private static CompletableFuture<CallToolResult> call(SdkClient client, String tool, String key) {
    Map<String, Object> arguments = Map.of("key", key, "ms", 1000, "ticks", 4);
    return CompletableFuture.supplyAsync(() -> client.call(tool, arguments));
  }

  private void severAll(CutProxy proxy, CutProxy.Cut cut) throws Exception {
    CompletableFuture<Integer> severed = new CompletableFuture<>();
    proxy
        .vertx()
        .runOnContext(
            now ->
                severed.complete(
                    (int) proxy.open().stream().filter(leg -> leg.sever(cut)).count()));
    assertTrue(severed.get(10, TimeUnit.SECONDS) > 0);
  }

  private static void assertOutcomeUnknown(CompletableFuture<CallToolResult> call)
      throws Exception {
    CallToolResult result = call.get(BOUND_MILLIS, TimeUnit.MILLISECONDS);
    assertTrue(result.isError());
    assertFalse(SdkClient.text(result).isBlank());
    Map<?, ?> outcome = (Map<?, ?>) result.meta().get("io.fairlead/outcome");
    assertEquals("unknown", outcome.get("state"), outcome::toString);
    assertEquals(false, outcome.get("retryable"), outcome::toString);
  }

  private void assertNextCallWorks(SdkClient client) {
    assertEquals("next", client.text("append", Map.of("key", "next")));
    assertEquals(1, ledger.executions("next"));
  }
}
