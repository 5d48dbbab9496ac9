package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.config.Version;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged gateway starts, serves and stops as the contract says (lifecycle 115, 116). */
class FatJarIT {
  private static final String INITIALIZE =
      """
      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
      "capabilities":{},"clientInfo":{"name":"fat-jar-it","version":"1"}}}""";
  private static final String INITIALIZED =
      """
      {"jsonrpc":"2.0","method":"notifications/initialized"}""";
  private static final String WAIT =
      """
      {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait",\
      "arguments":{"ms":60000}}}""";

  private final HttpClient http = HttpClient.newHttpClient();

  @TempDir Path directory;

  @Test
  void jarServesAndEndsWithZeroOnSigterm() throws Exception {
    try (FatJar jar = FatJar.start(directory, "--port", "0")) {
      Matcher ready = jar.ready();
      assertEquals("demo", ready.group(3));
      HttpResponse<String> initialized = post(jar, INITIALIZE);
      assertEquals(200, initialized.statusCode(), initialized::body);
      assertEquals(
          ready.group(2), initialized.headers().firstValue("Fairlead-Instance").orElseThrow());
      HttpResponse<String> health =
          http.send(
              HttpRequest.newBuilder(jar.url().resolve("/healthz")).build(),
              BodyHandlers.ofString());
      assertEquals(200, health.statusCode());
      assertTrue(health.body().contains(ready.group(2)), health::body);
      assertTrue(health.body().contains('"' + Version.TEXT + '"'), health::body);
      jar.terminate();
      assertEquals(0, jar.exitCode(Duration.ofSeconds(5)), jar::output);
      assertEquals(1, jar.out().lines().count(), jar::output);
      assertClean(jar.err());
      assertEquals(List.of(), list(directory.resolve("tmp")), "left behind");
    }
  }

  @Test
  void callInFlightIsWaitedForNoLongerThanTheDrain() throws Exception {
    try (FatJar jar = FatJar.start(directory, "--port", "0", "-D", "shutdown.drain=1s")) {
      HttpResponse<Stream<String>> call = callThatWaits(jar);
      jar.terminate();
      assertEquals(0, jar.exitCode(Duration.ofSeconds(3)), jar::output);
      // terminated and told, not cut: reading a cut response would throw
      String answer = String.join("\n", call.body().toList());
      assertTrue(answer.contains("\"id\":2"), answer);
      assertClean(jar.err());
    }
  }

  @Test
  void secondSigtermEndsAtOnce() throws Exception {
    try (FatJar jar = FatJar.start(directory, "--port", "0", "-D", "shutdown.drain=60s")) {
      callThatWaits(jar);
      jar.terminate();
      jar.await("drain", running -> running.err().contains("stopping"));
      long start = System.nanoTime();
      jar.terminate();
      assertNotEquals(0, jar.exitCode(Duration.ofSeconds(3)), jar::output);
      assertTrue(System.nanoTime() - start < Duration.ofSeconds(3).toNanos());
    }
  }

  @Test
  void jarIsMergedWithCare() throws IOException {
    try (JarFile jar = new JarFile(FatJar.JAR.toFile())) {
      assertEquals("true", jar.getManifest().getMainAttributes().getValue("Multi-Release"));
      List<String> names = jar.stream().map(Object::toString).toList();
      assertTrue(names.contains("logback.xml"));
      assertFalse(names.stream().anyMatch(name -> name.contains("jackson/databind/")));
      assertTrue(names.contains("META-INF/LICENSE") && names.contains("META-INF/NOTICE"));
      assertEquals(
          List.of(),
          names.stream()
              .filter(
                  name ->
                      name.endsWith("module-info.class")
                          || name.matches("META-INF/[^/]+\\.(SF|DSA|RSA)"))
              .toList());
    }
  }

  @Test
  void libraryBringsNoLoggingConfiguration() throws IOException {
    Path thin =
        list(Path.of("target")).stream()
            .filter(file -> file.getFileName().toString().matches("fairlead-gateway-[\\d.]+\\.jar"))
            .findFirst()
            .orElseThrow();
    try (JarFile jar = new JarFile(thin.toFile())) {
      assertFalse(jar.stream().anyMatch(entry -> entry.getName().contains("logback")));
      assertFalse(jar.stream().anyMatch(entry -> entry.getName().equals("reference.conf")));
    }
  }

  private HttpResponse<Stream<String>> callThatWaits(FatJar jar) throws Exception {
    String session = post(jar, INITIALIZE).headers().firstValue("Mcp-Session-Id").orElseThrow();
    HttpResponse<String> accepted = post(jar, INITIALIZED, "Mcp-Session-Id", session);
    assertEquals(202, accepted.statusCode(), accepted::body);
    HttpResponse<Stream<String>> call =
        http.send(request(jar, WAIT, "Mcp-Session-Id", session), BodyHandlers.ofLines());
    assertEquals(200, call.statusCode());
    return call;
  }

  private HttpResponse<String> post(FatJar jar, String body, String... headers) throws Exception {
    return http.send(request(jar, body, headers), BodyHandlers.ofString());
  }

  private static HttpRequest request(FatJar jar, String body, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(jar.url())
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .POST(BodyPublishers.ofString(body));
    return (headers.length == 0 ? request : request.headers(headers)).build();
  }

  private static void assertClean(String log) {
    for (String bad : List.of("ERROR", "WARNING", "Exception", "\tat ", "\\nat ")) {
      assertFalse(log.contains(bad), log);
    }
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }
}
