package io.fairlead.gateway.interop;

import io.fairlead.gateway.StartFigures;
import java.nio.file.Path;
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
      List<StartFigures> figures = List.of(new StartFigures(), new StartFigures());
      for (int i = 0; i < STARTS; i++) {
        for (int kind = 0; kind < commands.size(); kind++) {
          long begun = System.nanoTime();
          Path errors = directory.resolve("errors.log");
          try (StdioHost host = StdioHost.start(commands.get(kind), Map.of(), errors)) {
            figures.get(kind).add(begun, host.pid());
          }
        }
      }
      System.out.println("start of the bridge, without: " + figures.get(0));
      System.out.println("start of the bridge, with archive: " + figures.get(1));
    }
  }
}
