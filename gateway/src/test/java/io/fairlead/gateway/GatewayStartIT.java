package io.fairlead.gateway;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long the gateway takes to its ready line; prints what docs/benchmarks.md has. */
@Tag("comparison")
class GatewayStartIT {
  private static final int STARTS = 20;

  @TempDir Path directory;

  @Test
  void startIsMeasuredWithAndWithoutArchive() throws Exception {
    List<StartFigures> figures = List.of(new StartFigures(), new StartFigures());
    for (int i = 0; i < STARTS; i++) {
      for (int kind = 0; kind < figures.size(); kind++) {
        long begun = System.nanoTime();
        try (FatJar jar = start(kind == 1)) {
          jar.ready();
          figures.get(kind).add(begun, jar.pid());
        }
      }
    }
    System.out.println("start of the gateway, without: " + figures.get(0));
    System.out.println("start of the gateway, with archive: " + figures.get(1));
  }

  private FatJar start(boolean archived) throws IOException {
    return archived
        ? FatJar.archived(directory, FatJar.archive(), FatJar.JAR, "--port", "0")
        : FatJar.start(directory, "--port", "0");
  }
}
