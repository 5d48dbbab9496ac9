package io.fairlead.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParameterException;

/** The bridge's command line, as the contract lists it. */
class BridgeOptionsTest {
  @TempDir Path directory;

  private static BridgeOptions parse(String... arguments) {
    BridgeOptions options = new BridgeOptions();
    BridgeOptions.commandLine(options).parseArgs(arguments);
    options.check(Map.of("TOKEN", "s3cret$1"));
    return options;
  }

  @Test
  void defaultsAreThoseOfTheContract() {
    BridgeOptions options = parse("http://localhost:1/mcp");
    assertEquals(Duration.ofSeconds(60), options.startTimeout());
    assertEquals(Duration.ofSeconds(2), options.drainTimeout());
    assertEquals(ByteSize.ofHeap(Runtime.getRuntime().maxMemory()).bytes(), options.maxMessage());
    assertEquals(Duration.ofSeconds(1), options.probing().orElseThrow().busy());
    assertEquals(3, options.probing().orElseThrow().failures());
    assertEquals("WARN", options.logLevel());
  }

  @ParameterizedTest
  @CsvSource({"64, 4", "256, 16", "1024, 64", "8192, 64"})
  void largestMessageFollowsTheHeap(long heapMiB, int messageMiB) {
    assertEquals(messageMiB << 20, ByteSize.ofHeap(heapMiB << 20).bytes());
  }

  @Test
  void everyFlagIsRead() {
    BridgeOptions options =
        parse(
            "https://example.com/mcp",
            "--start-timeout=500ms",
            "--drain-timeout",
            "2m",
            "--max-message=1KiB",
            "--no-monitor",
            "--silent",
            "--insecure");
    assertEquals(Duration.ofMillis(500), options.startTimeout());
    assertEquals(Duration.ofMinutes(2), options.drainTimeout());
    assertEquals(1024, options.maxMessage());
    assertTrue(options.probing().isEmpty());
    assertEquals("OFF", options.logLevel());
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://127.0.0.1/", "http://[::1]:80/mcp", "http://LOCALHOST/mcp"})
  void plainHttpIsAllowedToLoopback(String url) {
    parse(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://example.com/mcp", "http://127.0.0.1.example.com/", "http://localhost.x/"})
  void plainHttpIsRefusedElsewhere(String url) {
    String refusal = assertThrows(ParameterException.class, () -> parse(url)).getMessage();
    assertTrue(refusal.contains("--allow-http"), refusal);
    parse(url, "--allow-http");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--nope",
        "--start-timeout=x",
        "--start-timeout=8761h",
        "--start-timeout=999999999h",
        "--max-message=0",
        "--probe-failures=0",
        "extra"
      })
  void whatIsNotUnderstoodIsRefused(String argument) {
    assertThrows(ParameterException.class, () -> parse("https://example.com/mcp", argument));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://example.com/", "example.com", "https:///mcp"})
  void urlNeedsSchemeAndHost(String url) {
    assertThrows(ParameterException.class, () -> parse(url));
  }

  @Test
  void headersAreExpandedAndRead() throws Exception {
    Path file = Files.writeString(directory.resolve("headers"), "X-File: 1\n\nX-Both: file\n");
    Map<String, String> headers =
        HeaderLines.read(
            List.of("Authorization: Bearer ${TOKEN}", "X-Both:line "),
            Optional.of(file),
            Map.of("TOKEN", "s3cret$1"));
    assertEquals(
        Map.of("X-File", "1", "X-Both", "line", "Authorization", "Bearer s3cret$1"), headers);
  }

  @ParameterizedTest
  @ValueSource(strings = {"no colon s3cret", "X y: s3cret", "X: s3cret\r\nY: z"})
  void refusalOfHeaderHidesItsValue(String header) {
    String refusal =
        assertThrows(
                ParameterException.class, () -> parse("https://example.com/", "--header", header))
            .getMessage();
    assertFalse(refusal.contains("s3cret"), refusal);
  }

  @Test
  void unknownVariableIsRefused() {
    assertThrows(
        ParameterException.class, () -> parse("https://example.com/", "--header", "X: ${NONE}"));
  }
}
