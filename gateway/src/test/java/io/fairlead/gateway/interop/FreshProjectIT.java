package io.fairlead.gateway.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The embedding example as a Maven project outside this one, against artefacts that were installed
 * into a repository of the test's own: a copy of the user's, so that little is downloaded.
 */
@Tag("soak")
@NeedsNode
class FreshProjectIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path USERS = Path.of(System.getProperty("user.home"), ".m2", "repository");
  private static final Pattern LISTENING = Pattern.compile("listening (http://\\S+)");
  private static final Pattern LOGGING = Pattern.compile("logback|slf4j-(simple|jdk14)|log4j");

  @TempDir private Path directory;

  @Test
  @DisplayName(
      "installed artefacts resolve in a fresh project, which runs and serves a stock client")
  void exampleRunsOutsideTheRepository() throws Exception {
    install();
    Path project = copy(ROOT.resolve("examples/embedded"), directory.resolve("shop"));
    assertNoLoggingBackendIsBrought(project);
    Process shop = start(project, "shop.log", "compile", "exec:java", "-Dshop.port=0");
    try {
      String url = listening(project.resolve("shop.log"), shop);
      assertEquals("The shop is open.", get(url.replace("/mcp", "/")));
      assertTrue(get(url.replace("/mcp", "/readyz")).contains("\"orders\":{\"state\":\"up\"}"));
      try (NodeProcess client = NodeProcess.start("shop.mjs", url)) {
        List<String> said = client.awaitEnd(Duration.ofSeconds(60));
        assertEquals(0, client.exitCode(), client::output);
        assertTrue(said.get(0).startsWith("{\"ok\":true"), client::output);
      }
    } finally {
      shop.descendants().forEach(ProcessHandle::destroy);
      shop.destroy();
      assertTrue(shop.waitFor(30, TimeUnit.SECONDS), "it does not end");
    }
  }

  /** Builds a copy of the sources, so that this build's own files are left alone. */
  private void install() throws Exception {
    Path repository = directory.resolve("repository");
    if (Files.isDirectory(USERS)) {
      run(directory, "copy.log", List.of("cp", "-a", USERS.toString(), repository.toString()));
    }
    run(directory, "clear.log", List.of("rm", "-rf", repository + "/io/fairlead"));
    Path sources = Files.createDirectory(directory.resolve("sources"));
    for (String file : List.of("pom.xml", "LICENSE")) {
      Files.copy(ROOT.resolve(file), sources.resolve(file));
    }
    for (String module : List.of("store", "bridge-client", "gateway")) {
      Path copied = Files.createDirectory(sources.resolve(module));
      Files.copy(ROOT.resolve(module).resolve("pom.xml"), copied.resolve("pom.xml"));
      copy(ROOT.resolve(module).resolve("src/main"), copied.resolve("src/main"));
    }
    maven(
        sources, "install.log", "-Dmaven.test.skip=true", "-Dspotless.check.skip=true", "install");
  }

  private void assertNoLoggingBackendIsBrought(Path project) throws Exception {
    maven(project, "tree.log", "dependency:tree", "-Dscope=runtime", "-DoutputFile=tree.txt");
    List<String> brought =
        Files.readAllLines(project.resolve("tree.txt")).stream()
            .filter(line -> LOGGING.matcher(line).find())
            .toList();
    // the one that the example chose
    assertEquals(1, brought.size(), brought::toString);
    assertTrue(brought.get(0).contains("slf4j-simple"), brought::toString);
  }

  private static Path copy(Path from, Path to) throws Exception {
    Files.createDirectories(to.getParent());
    run(to.getParent(), "copy.log", List.of("cp", "-r", from.toString(), to.toString()));
    return to;
  }

  private void maven(Path project, String log, String... arguments) throws Exception {
    await(start(project, log, arguments), project.resolve(log));
  }

  private Process start(Path project, String log, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("mvn", "-q", "-B"));
    command.add("-Dmaven.repo.local=" + directory.resolve("repository"));
    command.addAll(List.of(arguments));
    return process(project, log, command);
  }

  private static void run(Path where, String log, List<String> command) throws Exception {
    await(process(where, log, command), where.resolve(log));
  }

  private static Process process(Path where, String log, List<String> command) throws IOException {
    return new ProcessBuilder(command)
        .directory(where.toFile())
        .redirectErrorStream(true)
        .redirectOutput(where.resolve(log).toFile())
        .start();
  }

  private static void await(Process process, Path log) throws Exception {
    if (!process.waitFor(5, TimeUnit.MINUTES)) {
      process.destroyForcibly();
    }
    assertEquals(0, process.exitValue(), Files.readString(log));
  }

  /** Waits for its line; Maven may download first. */
  private static String listening(Path log, Process process) throws Exception {
    long end = System.nanoTime() + Duration.ofMinutes(3).toNanos();
    while (System.nanoTime() < end && process.isAlive()) {
      Matcher line = LISTENING.matcher(Files.readString(log));
      if (line.find()) {
        return line.group(1);
      }
      Thread.sleep(100);
    }
    throw new AssertionError(Files.readString(log));
  }

  private static String get(String url) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(10)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }
}
