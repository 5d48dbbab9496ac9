package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.config.ConfigResult;
import io.fairlead.gateway.config.GatewayConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command line means, without a process around it. */
class CliTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final List<ConfigResult> served = new ArrayList<>();

  private Optional<Watched> watched = Optional.empty();

  @TempDir Path directory;

  @Test
  void gatewayIsServedWhenNoCommandIsGiven() {
    assertEquals(0, run());
    assertEquals(8080, config().listen().port());
    assertEquals("", text(out) + text(err));
  }

  @Test
  void flagsOverrideTheFileWhereverTheyStand() throws IOException {
    Path file = file("listen.port = 1, sessions.max = 2, sessions.max-per-principal = 3");
    assertEquals(
        0,
        run(
            "-c",
            file.toString(),
            "--port",
            "0",
            "serve",
            "--host",
            "::1",
            "-D",
            "sessions.max=9"));
    assertEquals(0, config().listen().port());
    assertEquals("::1", config().listen().host());
    assertEquals(9, config().sessions().max());
    assertEquals(3, config().sessions().maxPerPrincipal());
  }

  @Test
  void usageIsShownOnStderrWhenAFlagIsUnknown() {
    assertEquals(2, run("--prot", "1"));
    assertTrue(text(err).contains("--prot") && text(err).contains("Usage: fairlead"), text(err));
    assertEquals("", text(out));
    assertEquals(List.of(), served);
  }

  @Test
  void overrideIsRefusedAsUsageWhenItHasNoValue() {
    assertEquals(2, run("-D", "sessions.max"));
    assertEquals(List.of(), served);
  }

  @Test
  void watchIsRefusedAsUsageWhenThereIsNoFile() {
    assertEquals(2, run("--watch"));
    assertTrue(text(err).startsWith("--watch needs a file to watch"), text(err));
    assertEquals(List.of(), served);
  }

  @Test
  void watchedFileIsNamedWithWhatOverridesIt() throws IOException {
    Path file = file("sessions.max = 2");
    assertEquals(0, run("serve", "--watch", "-c", file.toString(), "--port", "0"));
    assertEquals(Optional.of(new Watched(file, Map.of("listen.port", "0"))), watched);
  }

  @Test
  void nothingIsWatchedUnlessItIsAskedFor() throws IOException {
    assertEquals(0, run("-c", file("sessions.max = 2").toString()));
    assertEquals(Optional.empty(), watched);
  }

  @Test
  void checkNamesFileAndLineOfEveryProblem() throws IOException {
    Path file = file("listen {\n  prot = 1\n}\nsessions.max = many\n");
    assertEquals(3, run("check", "-c", file.toString()));
    assertEquals(
        file
            + ":2: listen.prot: is not known; did you mean port?\n"
            + file
            + ":4: sessions.max: is not a whole number, value=many; write digits only\n",
        text(err));
    assertEquals("", text(out));
  }

  @Test
  void checkSaysThatAGoodConfigurationIsGood() {
    assertEquals(0, run("check"));
    assertEquals("configuration is good, backends=demo\n", text(out));
  }

  @Test
  void checkRefusesAFileThatHoldsNoKey() throws IOException {
    Path file = file("# to be written\n");
    assertEquals(3, run("check", "-D", "sessions.max=2", "-c", file.toString()));
    assertEquals(
        file
            + ": holds no key, nor does what it includes; write one, or start without a file to have"
            + " the defaults\n",
        text(err));
  }

  @Test
  void localBackendIsRefusedWhenItIsNotTheDemo() throws IOException {
    Path file = file("backends {\n  demo { type = local }\n  mine { type = local }\n}\n");
    assertEquals(3, run("check", "-c", file.toString()));
    assertEquals(
        file
            + ":3: backends.mine: has no tools: of type local there is only demo;"
            + " write another type, or remove it\n",
        text(err));
  }

  @Test
  void printConfigMasksSecrets() throws IOException {
    Path file =
        file("backends.a { type = http, url = \"http://h/mcp\", headers.X-Key = canary } # canary");
    assertEquals(0, run("print-config", "-c", file.toString()));
    assertTrue(text(out).contains("X-Key=\"***\""), text(out));
    assertTrue(!text(out).contains("canary"), text(out));
  }

  @Test
  void printConfigIsRefusedWhenTheFileIsAbsent() {
    assertEquals(3, run("print-config", "--config", "absent.conf"));
    assertTrue(text(err).startsWith("absent.conf: cannot be read"), text(err));
  }

  @Test
  void versionIsThatOfTheBuild() {
    assertEquals(0, run("version"));
    assertTrue(text(out).matches("fairlead \\d+\\.\\d+\\.\\d+\\S*\n"), text(out));
    String command = text(out);
    out.reset();
    assertEquals(0, run("--version"));
    assertEquals(command, text(out));
  }

  @Test
  void helpNamesCommandsFlagsAndExitCodes() {
    assertEquals(0, run("--help"));
    for (String part :
        List.of("serve", "check", "print-config", "version", "--config", "-D", "4 address")) {
      assertTrue(text(out).contains(part), () -> part + " in " + text(out));
    }
  }

  private int run(String... arguments) {
    return new Cli(new PrintStream(out, true), new PrintStream(err, true), this::serve)
        .run(arguments);
  }

  private int serve(Callable<ConfigResult> loading, Optional<Watched> files) {
    try {
      served.add(loading.call());
      watched = files;
      return 0;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private GatewayConfig config() {
    return served.get(0).orElseThrow();
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("x.conf"), text);
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }
}
