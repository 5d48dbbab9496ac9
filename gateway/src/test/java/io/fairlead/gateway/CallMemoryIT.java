package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.LargeCallServer.Manner;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged gateway with a small heap, and many calls that are nearly as large as they may be.
 * {@code -Dcall.heap=64m} is how small.
 */
@Tag("soak")
class CallMemoryIT {
  private static final String HEAP = System.getProperty("call.heap", "128m");
  private static final int CALLS = 60;
  private static final int BYTES = 3_900_000;
  private static final String CONFIG =
      """
      listen.port = 0
      management { enabled = true, port = %d }
      """;

  @TempDir private Path directory;
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<McpSocket> sockets = new ArrayList<>();
  private int management;
  private int port;

  @Test
  @DisplayName("large calls that are not answered, not read, or whose answers nobody reads")
  void largeCallsLeaveTheGatewayAlive() throws Exception {
    try (LargeCallServer server = new LargeCallServer();
        FatJar gateway = start("backends.large { type = http, url = \"" + server.url() + "\" }")) {
      for (Manner manner : List.of(Manner.SILENT, Manner.DEAF, Manner.ECHOES, Manner.BEGINS)) {
        server.manner(manner);
        storm(manner.name(), "t", "\"a\":\"" + "x".repeat(BYTES) + "\"");
        assertFalse(gateway.output().contains("OutOfMemory"), gateway::output);
      }
      gateway.terminate();
      assertEquals(0, gateway.exitCode());
    }
  }

  @Test
  @DisplayName("arguments of tools in the process, which take ten times their bytes when read")
  void largeArgumentsOfLocalToolsLeaveTheGatewayAlive() throws Exception {
    String row = "[" + "[],".repeat(9_998) + "[]]";
    String arguments = "\"ms\":600000,\"a\":[" + (row + ",").repeat(128) + row + "]";
    try (FatJar gateway = start("")) {
      storm("LOCAL", "wait", arguments);
      assertFalse(gateway.output().contains("OutOfMemory"), gateway::output);
      gateway.terminate();
      assertEquals(0, gateway.exitCode());
    }
  }

  private FatJar start(String backends) throws Exception {
    management = freePort();
    Path config =
        Files.writeString(directory.resolve("calls.conf"), CONFIG.formatted(management) + backends);
    FatJar gateway = FatJar.start(directory, HEAP, config);
    port = gateway.url().getPort();
    return gateway;
  }

  private void storm(String manner, String tool, String arguments) throws Exception {
    McpSession other = McpSession.open(port);
    McpSession session = McpSession.open(port);
    double most = 0;
    for (int i = 1; i <= CALLS; i++) {
      try {
        sockets.add(session.post(large(i, tool, arguments)));
      } catch (IOException refusedBeforeItsEnd) {
        // the connection of a body that is not read is closed
      }
      most = Math.max(most, gauge("call_bytes"));
      if (i % 10 == 0) {
        other.post(McpSession.request("1", "ping", "{}")).expect(200);
      }
    }
    System.out.printf(
        "heap=%s manner=%s calls=%d most call_bytes=%.0f of %.0f, refused: %s%n",
        HEAP, manner, CALLS, most, gauge("call_bytes_limit"), refusals());
    assertTrue(most <= Math.max(BYTES + 1000, gauge("call_bytes_limit")), "most=" + most);
    session.delete().expect(204);
    for (McpSocket socket : sockets) {
      socket.close();
    }
    sockets.clear();
    TestGateway.until("all is given back", () -> gauge("call_bytes") + gauge("unsent_bytes") == 0);
    other.post(McpSession.request("1", "ping", "{}")).expect(200);
  }

  private static String large(int id, String tool, String arguments) {
    return "{\"jsonrpc\":\"2.0\",\"id\":"
        + id
        + ",\"method\":\"tools/call\",\"params\":{\"name\":\""
        + tool
        + "\",\"arguments\":{"
        + arguments
        + "}}}";
  }

  private List<String> refusals() {
    return scrape().lines().filter(line -> line.startsWith("fairlead_refused")).toList();
  }

  private double gauge(String name) {
    return scrape()
        .lines()
        .filter(line -> line.startsWith("fairlead_" + name + " "))
        .mapToDouble(line -> Double.parseDouble(line.split(" ")[1]))
        .sum();
  }

  private String scrape() {
    URI page = URI.create("http://127.0.0.1:" + management + "/metrics");
    try {
      return http.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket probe = new ServerSocket(0)) {
      return probe.getLocalPort();
    }
  }
}
