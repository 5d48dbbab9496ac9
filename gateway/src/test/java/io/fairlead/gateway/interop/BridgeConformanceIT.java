package io.fairlead.gateway.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The official suite's scenarios for clients, with the bridge between its server and a host
 * (streams 34).
 */
@NeedsNode
class BridgeConformanceIT {
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path reports;

  @ParameterizedTest
  @CsvSource({"initialize, 1", "tools_call, 2", "sse-retry, 3"})
  void theBridgePasses(String scenario, int checks) throws Exception {
    Map<String, String> env = Map.of("BRIDGE", BridgeCommand.json());
    ConformanceRun run = ConformanceRun.ofClient(scenario, "bridge-host.mjs", env, reports);
    assertEquals(List.of(), run.others(), run.output());
    assertEquals(checks, run.passed(), run.output());
    assertEquals(0, run.exitCode(), run.output());
  }
}
