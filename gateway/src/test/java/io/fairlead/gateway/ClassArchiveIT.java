package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The class archive of docs/running.md helps where it fits, and harms nowhere. */
class ClassArchiveIT {
  private static final Path PAGE = Path.of("../docs/running.md");
  private static final Path IMAGE = Path.of("../Dockerfile");

  @TempDir Path directory;

  private void assertVersionAlone(Path archive, Path jar) throws Exception {
    try (FatJar run = FatJar.archived(directory, archive, jar, "version")) {
      assertEquals(0, run.exitCode(), run::output);
      assertTrue(run.out().matches("fairlead \\S+\\s+"), run::output);
    }
  }

  /** The JVM would warn of it on stdout, where the ready line goes. */
  @Test
  void stdoutIsCleanWhenArchiveDoesNotFit() throws Exception {
    assertVersionAlone(directory.resolve("absent.jsa"), FatJar.JAR);
    Path broken = Files.writeString(directory.resolve("broken.jsa"), "no archive");
    assertVersionAlone(broken, FatJar.JAR);
    Path moved = Files.copy(FatJar.JAR, directory.resolve("moved.jar"));
    assertVersionAlone(FatJar.archive(), moved);
  }

  @Test
  void gatewayStartsFromTheArchiveOfTheBuild() throws Exception {
    assumeTrue(Files.exists(FatJar.archive()), "this JDK makes no class archives");
    try (FatJar run = FatJar.archived(directory, FatJar.archive(), FatJar.JAR, "--port", "0")) {
      run.ready();
      Path maps = Path.of("/proc", "" + run.pid(), "maps");
      if (Files.exists(maps)) {
        assertTrue(Files.readString(maps).contains(FatJar.archive().toString()), run::output);
      }
      run.terminate();
      assertEquals(0, run.exitCode(), run::output);
      assertEquals(1, run.out().lines().count(), run::output);
      assertFalse(run.err().matches("(?is).*warn.*"), run::output);
    }
  }

  @Test
  void flagsAreThoseOfTheDocumentation() throws Exception {
    String flags = String.join(" ", FatJar.WITH_ARCHIVE);
    assertTrue(Files.readString(PAGE).contains(".jsa " + flags + " -jar"));
    String quoted = '"' + String.join("\", \"", FatJar.WITH_ARCHIVE) + '"';
    assertTrue(Files.readString(IMAGE).contains(".jsa\", " + quoted));
  }
}
