package io.fairlead.gateway.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The official suite, without a baseline of expected failures. */
@NeedsNode
class ConformanceIT {
  private static final int CHECKS = 84;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path reports;

  /** Proves the fixture and the count of checks, so that a failure elsewhere is the gateway's. */
  @Test
  void theReferenceServerPassesWithoutAGateway() throws Exception {
    int port = NodeProcess.freePort();
    try (NodeProcess server = NodeProcess.start("fixture.mjs", "--http", port)) {
      server.awaitPort(port);
      assertPasses("http://127.0.0.1:" + port + "/mcp");
    }
  }

  @Test
  void aBackendOverHttpPassesThroughTheGateway() throws Exception {
    int port = NodeProcess.freePort();
    try (NodeProcess server = NodeProcess.start("fixture.mjs", "--http", port);
        EmbeddedGateway gateway =
            EmbeddedGateway.start(Hocon.http("fixture", server.awaitPort(port)))) {
      assertPasses(gateway.url());
    }
  }

  /**
   * A child cannot close a connection in the middle of a call, so the gateway does (streams 17).
   */
  @Test
  void aBackendOverStdioPassesThroughTheGateway() throws Exception {
    String config = Hocon.stdio("fixture", "fixture.mjs", "--stdio") + "limits.stream-age = 3s";
    try (EmbeddedGateway gateway = EmbeddedGateway.start(config)) {
      assertPasses(gateway.url());
    }
  }

  @Test
  void anInProcessBackendPassesThroughTheGateway() throws Exception {
    String config = "backends.fixture { type = local }";
    try (EmbeddedGateway gateway =
        EmbeddedGateway.start(config, ConformanceFixture.backend("fixture"))) {
      assertPasses(gateway.url());
    }
  }

  private void assertPasses(String url) throws InterruptedException {
    ConformanceRun run = ConformanceRun.of(url, reports);
    assertEquals(List.of(), run.others(), run.output());
    assertEquals(CHECKS, run.passed(), run.output());
    assertEquals(0, run.exitCode(), run.output());
  }
}
