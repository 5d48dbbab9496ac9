package io.fairlead.gateway.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The end of a child and of all that it started (lifecycle 111). */
@DisabledOnOs(OS.WINDOWS)
class ProcessTreeIT extends StdioBench {
  private static final String ANSWER_INITIALIZE =
      "read line; printf '%s\\n' '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":"
          + "\"2025-11-25\",\"capabilities\":{},\"serverInfo\":{\"name\":\"sh\",\"version\":\"1\"}}}';"
          + " read line;";

  private StdioFixture shell(String before, String after) {
    return StdioFixture.of("sh", "-c", before + ANSWER_INITIALIZE + after)
        .withTimeouts(Duration.ofSeconds(20), Duration.ofMillis(300));
  }

  private static ProcessHandle process(Path pidFile) throws Exception {
    return ProcessHandle.of(Long.parseLong(Files.readString(pidFile).strip())).orElseThrow();
  }

  @Test
  void childThatEndsAtTheEndOfItsInputIsNotSignalled(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("end");
    start(shell("trap 'echo term > " + file + "; exit' TERM; ", "read line; echo eof > " + file));
    Link link = open();
    loop.await(link::close);
    assertEquals("eof", Files.readString(file).strip());
  }

  @Test
  void childThatIgnoresTheEndOfItsInputIsTerminated(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("end");
    start(shell("trap 'echo term > " + file + "; exit' TERM; ", "while :; do sleep 0.05; done"));
    Link link = open();
    loop.await(link::close);
    assertEquals("term", Files.readString(file).strip());
  }

  @Test
  void childAndGrandchildrenThatIgnoreEverythingAreKilled(@TempDir Path directory)
      throws Exception {
    Path pid = directory.resolve("pid");
    start(
        shell(
            "trap '' TERM; (trap '' TERM; while :; do sleep 0.1; done) & echo $! > " + pid + "; ",
            "while :; do sleep 0.1; done"));
    Link link = open();
    ProcessHandle grandchild = process(pid);
    assertFalse(ProcessTree.hasEnded(grandchild));
    long start = System.nanoTime();
    loop.await(link::close);
    assertTrue(System.nanoTime() - start < Duration.ofSeconds(5).toNanos());
    assertTrue(ProcessTree.hasEnded(grandchild));
  }

  @Test
  void grandchildThatHoldsTheOutputOfADeadChildHoldsUpNothingAndIsEnded(@TempDir Path directory)
      throws Exception {
    Path pid = directory.resolve("pid");
    String orphan = "(trap '' TERM; while :; do sleep 0.1; done) & echo $! > " + pid + "; ";
    start(
        shell(orphan, "read line; exit 5")
            .withTimeouts(Duration.ofSeconds(20), Duration.ofMillis(2500)));
    Link link = open();
    ProcessHandle left = process(pid);
    CallRecorder recorder = tool(link, "any");
    long start = System.nanoTime();
    assertEquals("lost UNKNOWN backend_lost", recorder.take());
    assertTrue(System.nanoTime() - start < Duration.ofSeconds(2).toNanos());
    assertEquals("closed it exited with code=5", linkListener.take());
    untilChildren(0);
    assertTrue(ProcessTree.hasEnded(left));
  }

  @Test
  void childThatClosesItsOutputIsTakenForDead() {
    start(shell("", "exec >&-; while :; do sleep 0.05; done"));
    Link link = open();
    CallRecorder recorder = tool(link, "any");
    assertTrue(recorder.take().startsWith("lost "));
    assertTrue(linkListener.take().startsWith("closed "));
    untilChildren(0);
    assertEquals(List.of(), recorder.takeAll());
  }

  @Test
  void childThatClosesItsInputIsEnded() {
    start(shell("", "exec <&-; while :; do sleep 0.05; done"));
    Link link = open();
    // the first write may go into the pipe before it is closed
    loop.until(
        "the child is gone",
        () -> {
          link.notify(Messages.notification("notifications/x").getBytes());
          return backend.children() == 0;
        });
    assertTrue(linkListener.take().startsWith("closed "));
  }
}
