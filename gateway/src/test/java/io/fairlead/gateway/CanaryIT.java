package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients send in confidence, and where it turns up. */
class CanaryIT {
  private static final String KEY = "canary-key-0123456789";
  private static final List<String> CANARIES =
      List.of(
          KEY,
          "canary-wrong-key",
          "canary-cookie",
          "canary-argument",
          "canary-cursor",
          "canary-session",
          "canary-bearer");

  @TempDir private Path directory;

  @Test
  @DisplayName("lifecycle 113: no secret, session id or argument in the log, metrics and refusals")
  void whatIsSentInConfidenceTurnsUpNowhere() throws Exception {
    int management;
    try (ServerSocket socket = new ServerSocket(0)) {
      management = socket.getLocalPort();
    }
    Path config =
        Files.writeString(
            directory.resolve("canary.conf"),
            "listen.port = 0\nmanagement { enabled = true, port = %d }\n".formatted(management)
                + "auth { mode = api-key, api-keys { alice = \"%s\" } }\n".formatted(KEY));
    try (FatJar gateway = FatJar.start(directory, "-c", config.toString())) {
      int port = gateway.url().getPort();
      String key = "X-Api-Key: " + KEY;
      McpSession session = McpSession.open(port, "/mcp", "2025-11-25", key);
      String seen = exchanges(port, session, key) + metrics(management);
      gateway.terminate();
      assertEquals(0, gateway.exitCode());
      String all = seen + gateway.output();
      assertTrue(all.contains("unauthorized") && all.contains("alice"), all);
      CANARIES.forEach(canary -> assertFalse(all.contains(canary), canary + " in " + all));
      assertFalse(all.contains(session.id), "the session's id in " + all);
    }
  }

  /** The bodies of what is refused, and of one call, without what the tool said. */
  private static String exchanges(int port, McpSession session, String key) throws Exception {
    List<String> bodies = new ArrayList<>();
    String arguments = "{\"name\":\"wait\",\"arguments\":{\"ms\":0,\"note\":\"canary-argument\"}}";
    String call = McpSession.request("1", "tools/call", arguments);
    String cookie = "Cookie: a=canary-cookie";
    try (McpSocket answer = session.post(call, key, cookie)) {
      assertEquals(200, answer.status());
      bodies.add(answer.rest().toString());
    }
    String unknown = "Mcp-Session-Id: canary-session";
    for (String[] headers :
        List.of(
            new String[] {"X-Api-Key: canary-wrong-key"},
            new String[] {"Authorization: Bearer canary-bearer"},
            new String[] {key, unknown, cookie},
            new String[] {key, "Mcp-Session-Id: " + session.id, "Last-Event-ID: canary-cursor-9"},
            new String[] {key, "Mcp-Session-Id: " + session.id, "Last-Event-ID: canary-cursor"})) {
      List<String> all = new ArrayList<>(List.of(headers));
      all.add("Accept: text/event-stream");
      try (McpSocket refused =
          McpSocket.send(port, "GET", "/mcp", "", all.toArray(String[]::new))) {
        assertTrue(refused.status() >= 400, () -> all.toString());
        bodies.add(refused.head() + refused.body());
      }
    }
    return bodies.toString();
  }

  private static String metrics(int port) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + port + "/metrics");
    HttpRequest request = HttpRequest.newBuilder(uri).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }
}
