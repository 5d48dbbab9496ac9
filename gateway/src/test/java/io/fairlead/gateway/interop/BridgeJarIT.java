package io.fairlead.gateway.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the packaged bridge says on its command line, and where (contract, "Bridge"). */
class BridgeJarIT {
  @TempDir Path directory;

  /** What a run of the jar without any input said, and how it ended. */
  private record Run(int code, String out, String err) {}

  private Run run(String... arguments) throws Exception {
    return run(BridgeCommand.of(arguments));
  }

  private Run run(List<String> command) throws Exception {
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    process.getOutputStream().close();
    assertTrue(process.waitFor(15, TimeUnit.SECONDS));
    return new Run(
        process.exitValue(),
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }

  @Test
  void usageIsRefusedOnStderrAlone() throws Exception {
    Run unknown = run("http://127.0.0.1:1/mcp", "--nope");
    assertEquals(2, unknown.code());
    assertEquals("", unknown.out());
    assertTrue(unknown.err().contains("--nope") && unknown.err().contains("Usage:"), unknown.err());
    Run version = run("--version");
    assertEquals(0, version.code());
    assertTrue(version.out().matches("fairlead-bridge \\d+\\.\\d+\\.\\d+\\S*\\s+"), version.out());
  }

  private void assertVersionAlone(Path archive, Path jar) throws Exception {
    Run run = run(BridgeCommand.archived(archive, jar, "--version"));
    assertEquals(0, run.code(), run.err());
    assertTrue(run.out().matches("fairlead-bridge \\S+\\s+"), run.out());
  }

  /** The JVM would warn of a class archive on stdout, where MCP messages go. */
  @Test
  void stdoutIsCleanWhenArchiveDoesNotFit() throws Exception {
    assertVersionAlone(directory.resolve("absent.jsa"), BridgeCommand.jar());
    Path broken = Files.writeString(directory.resolve("broken.jsa"), "no archive");
    assertVersionAlone(broken, BridgeCommand.jar());
    Path moved = Files.copy(BridgeCommand.jar(), directory.resolve("moved.jar"));
    assertVersionAlone(BridgeCommand.archive(), moved);
  }

  @Test
  void archiveOfTheBuildFits() throws Exception {
    assumeTrue(Files.exists(BridgeCommand.archive()), "this JDK makes no class archives");
    List<String> command =
        BridgeCommand.archived(BridgeCommand.archive(), BridgeCommand.jar(), "--version");
    command.set(command.indexOf("-Xshare:auto"), "-Xshare:on");
    Run run = run(command);
    assertEquals(0, run.code(), run.err());
    assertEquals("", run.err());
  }

  @Test
  void logFileIsForItsOwnerAlone() throws Exception {
    Path log = directory.resolve("log");
    Run run = run("http://127.0.0.1:1/mcp", "--debug", "--log-file", log.toString());
    assertEquals(0, run.code());
    assertEquals("", run.out());
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(log)));
  }
}
