package io.fairlead.gateway.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** No result is lost, and no tool runs twice (streams 1, 2, 12, 13). */
@NeedsNode
class CutStormIT {
  private static final int CUTS = 1000;
  private static final String LIMITS =
      """
      events { retry = 20ms, max-bytes-per-session = 64MiB }
      limits { calls-per-session = 512, streams-per-session = 4096 }
      """;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  @Test
  void everyCallOfStockClientsIsDeliveredAndRunsOnceWhenConnectionsAreCut() throws Exception {
    Ledger ledger = Ledger.in(directory);
    int port = NodeProcess.freePort();
    try (NodeProcess backend = NodeProcess.start("ledger.mjs", ledger.file(), "--http", port)) {
      storm(Hocon.http("ledger", backend.awaitPort(port)), ledger, CUTS);
    }
  }

  /** A child for each session; fewer cuts, since the backends' side is not cut here. */
  @Test
  void soItIsInFrontOfChildProcesses() throws Exception {
    Ledger ledger = Ledger.in(directory);
    storm(Hocon.stdio("ledger", "ledger.mjs", ledger.file(), "--stdio"), ledger, CUTS / 4);
  }

  private static void storm(String backend, Ledger ledger, int cuts) throws Exception {
    long seed = new Random().nextLong();
    try (EmbeddedGateway gateway = EmbeddedGateway.start(LIMITS + backend)) {
      CutStorm.Result result = CutStorm.run(gateway.port(), "append", cuts, seed);
      String story = "seed=" + seed + " " + result;
      System.out.println(story);
      assertEquals(result.calls(), result.delivered(), story);
      assertTrue(result.cuts() >= cuts && result.recuts() >= cuts / 10, story);
      List<String> executions = ledger.lines();
      assertEquals(result.calls(), executions.size(), story);
      assertEquals(result.calls(), new HashSet<>(executions).size(), story);
    }
  }
}
