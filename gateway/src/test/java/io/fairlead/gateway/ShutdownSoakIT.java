package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of a gateway with very many open streams. Needs 12,000 file descriptors. */
@Tag("soak")
class ShutdownSoakIT {
  private static final int STREAMS = 10_000;
  private static final Duration DRAIN = Duration.ofSeconds(5);

  @TempDir private Path directory;

  @Test
  @DisplayName("lifecycle 115: 10,000 open streams end properly, and the gateway exits in time")
  void manyStreamsEndInTime() throws Exception {
    Path config =
        Files.writeString(
            directory.resolve("many.conf"),
            "listen.port = 0\nsessions.max = 20000\nlimits.connections = 20000\nshutdown.drain = "
                + DRAIN.toSeconds()
                + "s");
    try (FatJar gateway = FatJar.start(directory, "-c", config.toString())) {
      int port = gateway.url().getPort();
      List<McpSocket> streams = new ArrayList<>();
      for (int i = 0; i < STREAMS; i++) {
        McpSocket stream = McpSession.open(port).get();
        assertEquals(200, stream.status());
        streams.add(stream);
      }
      long from = System.nanoTime();
      gateway.terminate();
      assertEquals(0, gateway.exitCode(DRAIN.plusSeconds(2)));
      Duration took = Duration.ofNanos(System.nanoTime() - from);
      for (McpSocket stream : streams) {
        // fails unless the last chunk came
        assertEquals(List.of(), stream.rest());
        stream.close();
      }
      System.out.printf("exit with streams=%d after ms=%d%n", STREAMS, took.toMillis());
      assertTrue(gateway.err().lines().noneMatch(line -> line.contains("ERROR")), gateway::err);
    }
  }
}
