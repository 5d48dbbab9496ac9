package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve} of the packaged command, with {@code --watch} and SIGHUP. */
class ServeWatchIT {
  private static final String WAIT =
      McpSession.request("1", "tools/call", "{\"name\":\"wait\",\"arguments\":{\"ms\":60000}}");

  @TempDir Path directory;

  @Test
  void editIsAppliedWithinThePeriod() throws Exception {
    Path file = Files.writeString(directory.resolve("gateway.conf"), "limits.calls = 9");
    try (FatJar jar =
        FatJar.start(
            directory,
            "serve",
            "--watch",
            "-c",
            file.toString(),
            "--port",
            "0",
            "-D",
            "reload.period=200ms")) {
      McpSession session = McpSession.open(jar.url().getPort());
      WatchedGateway.write(file, "limits.calls-per-session = 1");
      jar.await("applied", running -> running.err().contains("configuration applied: settings="));
      McpSocket first = session.post(WAIT);
      first.next();
      try (McpSocket second = session.post(McpSession.request("2", "tools/call", "{}"))) {
        assertEquals(503, second.status());
      }
      WatchedGateway.write(file, "limits {\n  calls-per-session = 1\n  callz = 2\n}");
      jar.await("refused", running -> running.err().contains(file + ":3: limits.callz: "));
      first.close();
    }
  }

  @Test
  void hangUpWithoutWatchDrainsAndSaysWhatItWouldDoElse() throws Exception {
    try (FatJar jar = FatJar.start(directory, "serve", "--port", "0")) {
      jar.ready();
      jar.hangUp();
      assertEquals(0, jar.exitCode(Duration.ofSeconds(30)), jar::output);
      assertTrue(jar.err().contains("SIGHUP ends the gateway; with --watch"), jar::output);
      assertTrue(jar.err().contains("stopping drain="), jar::output);
    }
  }

  /** The drain that is in force at the end is the one that was configured last. */
  @Test
  void hangUpAppliesAtOnceAndTheProcessDrainsByWhatIsInForce() throws Exception {
    Path file = Files.writeString(directory.resolve("gateway.conf"), "shutdown.drain = 10m");
    try (FatJar jar =
        FatJar.start(
            directory,
            "serve",
            "--watch",
            "-c",
            file.toString(),
            "--port",
            "0",
            "-D",
            "reload.period=1h")) {
      McpSession session = McpSession.open(jar.url().getPort());
      McpSocket running = session.post(WAIT);
      running.next();
      WatchedGateway.write(file, "shutdown.drain = 100ms");
      jar.hangUp();
      jar.await("applied", now -> now.err().contains("configuration applied: settings=shutdown"));
      jar.terminate();
      assertEquals(0, jar.exitCode(Duration.ofSeconds(30)), jar::output);
      assertTrue(running.message().data().contains("\"reason\":\"draining\""));
      assertEquals(1, jar.out().lines().count(), jar::output);
    }
  }
}
