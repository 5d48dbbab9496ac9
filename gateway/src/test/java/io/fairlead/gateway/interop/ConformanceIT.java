package io.fairlead.gateway.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The official suite, without a baseline of expected failures. */
@NeedsNode
class ConformanceIT {
  private static final int CHECKS = 84;

  @TempDir Path reports;

  /** Proves the fixture and the count of checks, so that a failure elsewhere is the gateway's. */
  @Test
  void theReferenceServerPassesWithoutAGateway() throws Exception {
    int port = NodeProcess.freePort();
    try (NodeProcess server = NodeProcess.start("fixture.mjs", "--http", port)) {
      server.awaitPort(port);
      assertPasses("http://127.0.0.1:" + port + "/mcp");
    }
  }

  private void assertPasses(String url) throws InterruptedException {
    ConformanceRun run = ConformanceRun.of(url, reports);
    assertEquals(List.of(), run.others(), run.output());
    assertEquals(CHECKS, run.passed(), run.output());
    assertEquals(0, run.exitCode(), run.output());
  }
}
