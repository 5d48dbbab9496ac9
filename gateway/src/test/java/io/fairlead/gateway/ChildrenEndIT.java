package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged gateway ends, and what it started ends with it. */
class ChildrenEndIT {

  /** A server that starts another process, writes down the ids of both, and waits for its end. */
  private static final String SERVER =
      """
      sleep 1000 &
      echo $$ $! >> "$PIDS"
      read line
      printf '%s\\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25",\
      "capabilities":{},"serverInfo":{"name":"sh","version":"1"}}}'
      while read line; do :; done
      """;

  @TempDir private Path directory;

  private FatJar start() throws Exception {
    Path script = Files.writeString(directory.resolve("server.sh"), SERVER);
    Path config =
        Files.writeString(
            directory.resolve("children.conf"),
            """
            listen.port = 0
            shutdown.drain = 1s
            backends.sh { type = stdio, command = ["sh", "%s"], env.PIDS = "%s" }
            """
                .formatted(script, pids()));
    return FatJar.start(directory, "-c", config.toString());
  }

  private Path pids() {
    return directory.resolve("pids");
  }

  /** The child and what it started. */
  private List<ProcessHandle> children(FatJar gateway) throws InterruptedException {
    gateway.await("the backend is up", running -> running.err().contains("backend=sh is up"));
    try {
      return List.of(Files.readString(pids()).strip().split("\\s")).stream()
          .map(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @DisplayName("lifecycle 111, 115: after SIGTERM no child or grandchild is left, and it exits 0")
  void childrenEndWithTheGateway() throws Exception {
    try (FatJar gateway = start()) {
      gateway.ready();
      List<ProcessHandle> children = children(gateway);
      assertEquals(2, children.size());
      gateway.terminate();
      assertEquals(0, gateway.exitCode(Duration.ofSeconds(20)), gateway::output);
      children.forEach(child -> assertTrue(Ended.hasEnded(child), () -> child + gateway.output()));
      assertTrue(gateway.err().lines().noneMatch(line -> line.contains("ERROR")), gateway::err);
    }
  }

  @Test
  @DisplayName("lifecycle 111: after SIGKILL a child meets the end of its input, and ends")
  void childEndsWhenTheGatewayIsKilled() throws Exception {
    try (FatJar gateway = start()) {
      gateway.ready();
      List<ProcessHandle> children = children(gateway);
      gateway.kill();
      gateway.exitCode();
      TestGateway.until("the child ends", () -> Ended.hasEnded(children.get(0)));
      // nobody is left who could end what it started
      children.get(1).destroyForcibly();
    }
  }
}
