package io.fairlead.gateway.interop;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One run of the official conformance suite: against a server the scenarios that revision
 * 2025-11-25 requires, and the three that it lists without scoring them; or one against a client.
 *
 * @param exitCode of the suite
 * @param passed checks that passed
 * @param others checks that neither passed nor only inform: scenario, check, status, message
 * @param output what the suite said
 */
record ConformanceRun(int exitCode, int passed, List<String> others, String output) {
  private static final String SUITE =
      "node_modules/@modelcontextprotocol/conformance/dist/index.js";
  private static final String REVISION = "2025-11-25";

  /**
   * The scenarios for servers.
   *
   * @param directory an empty one for the suite's reports
   */
  static ConformanceRun of(String url, Path directory) throws InterruptedException {
    Object[] arguments = {
      "server", "--url", url, "--requirements", REVISION, "-o", directory, "--timeout", 10_000
    };
    return run(Map.of(), directory, arguments);
  }

  /**
   * One scenario for clients.
   *
   * @param script a client that gets the URL of the scenario's server
   * @param env of the script
   * @param directory an empty one for the suite's reports
   */
  static ConformanceRun ofClient(
      String scenario, String script, Map<String, String> env, Path directory)
      throws InterruptedException {
    String command = String.join(" ", NodeProcess.command(script));
    Object[] arguments = {"client", "--scenario", scenario, "--command", command, "-o", directory};
    return run(env, directory, arguments);
  }

  private static ConformanceRun run(Map<String, String> env, Path directory, Object... arguments)
      throws InterruptedException {
    try (NodeProcess suite = NodeProcess.start(env, line -> {}, SUITE, arguments)) {
      suite.awaitEnd(Duration.ofSeconds(120));
      List<JsonObject> checks = checks(directory);
      return new ConformanceRun(
          suite.exitCode(),
          (int) checks.stream().filter(check -> hasStatus(check, "SUCCESS")).count(),
          checks.stream()
              .filter(check -> !hasStatus(check, "SUCCESS") && !hasStatus(check, "INFO"))
              .map(ConformanceRun::line)
              .toList(),
          suite.output());
    }
  }

  private static boolean hasStatus(JsonObject check, String status) {
    return check.getString("status").equals(status);
  }

  private static String line(JsonObject check) {
    return check.getString("id")
        + " "
        + check.getString("status")
        + ": "
        + check.getString("errorMessage")
        + " "
        + check.getJsonObject("details");
  }

  private static List<JsonObject> checks(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.endsWith("checks.json"))
          .flatMap(file -> new JsonArray(read(file)).stream())
          .map(JsonObject.class::cast)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Buffer read(Path file) {
    try {
      return Buffer.buffer(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
