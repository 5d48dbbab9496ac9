package io.fairlead.gateway.interop;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long the bridge takes to answer {@code initialize}; prints what docs/benchmarks.md has. */
@Tag("comparison")
class BridgeStartIT {
  private static final int STARTS = 20;

  @TempDir Path directory;

  @Test
  void startIsMeasuredWithAndWithoutArchive() throws Exception {
    try (EmbeddedGateway gateway = EmbeddedGateway.start("")) {
      List<List<String>> commands =
          List.of(
              BridgeCommand.of(gateway.url()),
              BridgeCommand.archived(BridgeCommand.archive(), BridgeCommand.jar(), gateway.url()));
      long[][] millis = new long[commands.size()][STARTS];
      long[][] mebibytes = new long[commands.size()][STARTS];
      for (int i = 0; i < STARTS; i++) {
        for (int kind = 0; kind < commands.size(); kind++) {
          long begun = System.nanoTime();
          Path errors = directory.resolve("errors.log");
          try (StdioHost host = StdioHost.start(commands.get(kind), Map.of(), errors)) {
            millis[kind][i] = (System.nanoTime() - begun) / 1_000_000;
            mebibytes[kind][i] = host.residentMebibytes();
          }
        }
      }
      for (int kind = 0; kind < commands.size(); kind++) {
        System.out.printf(
            "start of the bridge, %s: %s ms, %s MiB%n",
            kind == 0 ? "without" : "with archive", spread(millis[kind]), spread(mebibytes[kind]));
      }
    }
  }

  private static String spread(long[] values) {
    Arrays.sort(values);
    return values[values.length / 2] + " (" + values[0] + " to " + values[values.length - 1] + ")";
  }
}
