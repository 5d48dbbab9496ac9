package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.config.Version;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exit codes and streams of the packaged command. */
class CliIT {
  @TempDir Path directory;

  @Test
  void unknownFlagEndsWithTwo() throws Exception {
    try (FatJar jar = FatJar.start(directory, "--prot", "1")) {
      assertEquals(2, jar.exitCode(), jar::output);
      assertTrue(jar.err().contains("--prot"), jar::output);
      assertEquals("", jar.out());
    }
  }

  @Test
  void refusedConfigurationEndsWithThreeAndNamesFileAndLine() throws Exception {
    Path file = Files.writeString(directory.resolve("bad.conf"), "listen {\n  port = x\n}\n");
    try (FatJar jar = FatJar.start(directory, "-c", file.toString())) {
      assertEquals(3, jar.exitCode(), jar::output);
      assertTrue(
          jar.err()
              .contains(
                  file + ":2: listen.port: is not a whole number, value=x; write digits only\n"),
          jar::output);
      assertFalse(jar.err().contains("ERROR"), jar::output);
      assertEquals("", jar.out());
    }
  }

  @Test
  void takenAddressEndsWithFour() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        FatJar jar = FatJar.start(directory, "--port", "" + taken.getLocalPort())) {
      assertEquals(4, jar.exitCode(), jar::output);
      assertTrue(
          jar.err().contains("address in use, listen=127.0.0.1:" + taken.getLocalPort()),
          jar::output);
      assertEquals("", jar.out());
    }
  }

  @Test
  void unusableAddressEndsWithOne() throws Exception {
    try (FatJar jar =
        FatJar.start(directory, "--host", "192.0.2.1", "-D", "auth.allow-anonymous=true")) {
      assertEquals(1, jar.exitCode(), jar::output);
      assertTrue(jar.err().contains("could not start"), jar::output);
      assertEquals("", jar.out());
    }
  }

  @Test
  void checkEndsWithThreeOrZero() throws Exception {
    try (FatJar good = FatJar.start(directory, "check", "-c", "../conf/fairlead.conf");
        FatJar bad = FatJar.start(directory, "check", "-D", "sessions.maxx=1")) {
      assertEquals(0, good.exitCode(), good::output);
      assertEquals(3, bad.exitCode(), bad::output);
      assertTrue(bad.err().contains("command line: sessions.maxx"), bad::output);
    }
  }

  @Test
  void printedConfigurationIsAccepted() throws Exception {
    Path printed;
    try (FatJar jar = FatJar.start(directory, "print-config", "--port", "0")) {
      assertEquals(0, jar.exitCode(), jar::output);
      printed = Files.writeString(directory.resolve("printed.conf"), jar.out());
    }
    try (FatJar jar = FatJar.start(directory, "check", "-c", printed.toString())) {
      assertEquals(0, jar.exitCode(), jar::output);
    }
  }

  @Test
  void versionIsPrintedAlone() throws Exception {
    try (FatJar jar = FatJar.start(directory, "version")) {
      assertEquals(0, jar.exitCode(), jar::output);
      assertEquals("fairlead " + Version.TEXT + "\n", jar.out());
      assertEquals("", jar.err());
    }
  }

  @Test
  void levelOfLogsIsThatOfTheEnvironment() throws IOException, InterruptedException {
    try (FatJar jar =
        FatJar.start(directory, Map.of("FAIRLEAD_LOG_LEVEL", "WARN"), "--port", "0")) {
      jar.ready();
      jar.terminate();
      assertEquals(0, jar.exitCode(), jar::output);
      assertFalse(jar.err().contains("INFO"), jar::output);
    }
  }
}
