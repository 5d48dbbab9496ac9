package io.fairlead.gateway.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The configuration of {@code serve --watch} is edited again and again while 8 stock clients call
 * through connections that are cut: no call is lost, and none runs twice.
 */
@NeedsNode
class ReloadStormIT {
  private static final int CUTS = 50;
  private static final int CLIENTS = 8;
  private static final String SETTINGS =
      """
      events { retry = 20ms, max-bytes-per-session = 64MiB }
      limits { calls-per-session = 512, streams-per-session = 4096 }
      shutdown.drain = 60s
      """;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private final AtomicInteger handshakes = new AtomicInteger();

  @Test
  void editsLoseNoCallAndReconnectNoUnchangedBackend() throws Exception {
    editOthers(10);
  }

  @Test
  @Tag("soak")
  void fiftyEditsLoseNoCallAndReconnectNoUnchangedBackend() throws Exception {
    editOthers(50);
  }

  private void editOthers(int edits) throws Exception {
    storm(
        edits,
        port ->
            edit -> {
              String others =
                  switch (edit % 4) {
                    case 0 -> "backends.other { type = http, url = \"http://127.0.0.1:9/mcp\" }\n";
                    case 1 -> "sessions.max = 100, shutdown.drain = 50s\n";
                    case 2 -> "backends.demo.call-timeout = 1m\n";
                    default -> "auth.allow-anonymous = true, events.ttl = 4m\n";
                  };
              return SETTINGS
                  + Hocon.http("ledger", port)
                  + "backends.demo.type = local\nlimits.calls = "
                  + (1000 + edit)
                  + "\n"
                  + others;
            });
    // one for each client's session, and the one of the catalog
    assertEquals(CLIENTS + 1, handshakes.get());
  }

  @Test
  @Tag("soak")
  void callsAreDeliveredWhileTheirOwnBackendIsReplaced() throws Exception {
    storm(
        10,
        port ->
            edit ->
                SETTINGS
                    + Hocon.http("ledger", port)
                    + "backends.demo.type = local\nbackends.ledger.call-timeout = "
                    + (100 + edit)
                    + "s\n");
    assertTrue(handshakes.get() > CLIENTS + 1, () -> "handshakes=" + handshakes);
  }

  private void storm(int edits, IntFunction<IntFunction<String>> configs) throws Exception {
    long seed = new Random().nextLong();
    Ledger ledger = Ledger.in(directory);
    Vertx vertx = Vertx.vertx();
    int backend = NodeProcess.freePort();
    int port = NodeProcess.freePort();
    try (NodeProcess server = NodeProcess.start("ledger.mjs", ledger.file(), "--http", backend);
        CutProxy counter = CutProxy.start(vertx, server.awaitPort(backend), this::count)) {
      IntFunction<String> config = configs.apply(counter.port());
      try (JarGateway gateway =
          JarGateway.start(directory, config.apply(0), port, "--watch", "-D", "reload.period=1s")) {
        CompletableFuture<Void> edited = new CompletableFuture<>();
        Thread editor = new Thread(() -> complete(edited, () -> edit(gateway, edits, config)));
        editor.start();
        CutStorm.Result result = CutStorm.run(port, "ledger__append", CUTS, seed, edited);
        editor.join();
        String story =
            "seed=%d edits=%d handshakes=%s %s".formatted(seed, edits, handshakes, result);
        System.out.println(story);
        assertEquals(result.calls(), result.delivered(), story);
        List<String> executions = ledger.lines();
        assertEquals(result.calls(), executions.size(), story);
        assertEquals(result.calls(), new HashSet<>(executions).size(), story);
      }
    } finally {
      vertx.close().await();
    }
  }

  /** Good ones, each of which is in force before the next; every tenth is followed by a bad one. */
  private static Void edit(JarGateway gateway, int edits, IntFunction<String> config)
      throws Exception {
    for (int edit = 1; edit <= edits; edit++) {
      gateway.edit(config.apply(edit));
      gateway.awaitLogged("configuration applied: [a-z]+=", edit);
      if (edit % 10 == 0) {
        gateway.edit(config.apply(edit) + "limits { calls = ");
        gateway.awaitLogged("configuration refused", edit / 10);
      }
    }
    return null;
  }

  private static void complete(CompletableFuture<Void> edited, Callable<Void> task) {
    try {
      edited.complete(task.call());
    } catch (Exception | AssertionError e) {
      edited.completeExceptionally(e);
    }
  }

  private void count(CutProxy.Leg leg) {
    leg.onAnswer(
        () -> {
          if (leg.request().contains("\"method\":\"initialize\"")) {
            handshakes.incrementAndGet();
          }
        });
  }
}
