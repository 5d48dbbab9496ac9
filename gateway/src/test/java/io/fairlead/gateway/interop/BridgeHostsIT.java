package io.fairlead.gateway.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Published hosts start the bridge over stdio and reach published servers through the gateway; the
 * bridge ends with its host (streams 44).
 */
@NeedsNode
class BridgeHostsIT {
  @TempDir static Path directory;
  private static Ledger ledger;
  private static NodeProcess everything;
  private static EmbeddedGateway gateway;

  @BeforeAll
  static void start() throws Exception {
    int port = NodeProcess.freePort();
    everything =
        NodeProcess.start(
            Map.of("PORT", String.valueOf(port)),
            line -> {},
            NpmBackendsIT.EVERYTHING,
            "streamableHttp");
    ledger = Ledger.in(directory);
    gateway =
        EmbeddedGateway.start(
            Hocon.http("web", everything.awaitPort(port))
                + Hocon.stdio("child", NpmBackendsIT.EVERYTHING, "stdio")
                + Hocon.stdio("journal", "ledger.mjs", ledger.file(), "--stdio"));
  }

  @AfterAll
  static void stop() {
    gateway.close();
    everything.close();
  }

  @AfterEach
  void noBridgeIsLeft() throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
    while (bridges() > 0 && System.nanoTime() < end) {
      Thread.sleep(20);
    }
    assertEquals(0, bridges());
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v2"})
  void typeScriptHostReachesAllBackendsThroughTheBridge(String version) throws Exception {
    JsonObject plan =
        new JsonObject()
            .put("everything", List.of("web__", "child__"))
            .put("ledger", List.of("journal__"))
            .put("directory", directory.toString())
            .put("ledgerFile", ledger.file().toString());
    String bridge = BridgeCommand.json(gateway.url());
    try (NodeProcess host = NodeProcess.start("journey.mjs", version, bridge, plan.encode())) {
      List<String> steps = host.awaitEnd(Duration.ofSeconds(60));
      assertEquals(0, host.exitCode(), host::output);
      assertEquals(19, steps.size(), host::output);
    }
  }

  @Test
  void javaHostReachesAllBackendsThroughTheBridge() {
    SdkClient host = SdkClient.spawn(BridgeCommand.of(gateway.url()), directory);
    assertEquals(1, bridges());
    JavaJourney.run(host, List.of("web__", "child__"));
  }

  /** The port of the gateway is this test's alone. */
  private static long bridges() {
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").contains(gateway.url()))
        .count();
  }
}
