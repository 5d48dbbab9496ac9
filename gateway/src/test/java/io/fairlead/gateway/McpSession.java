package io.fairlead.gateway;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** One client's session on bare sockets, an exchange each. */
final class McpSession {
  private final int port;
  private final String path;
  final String id;
  final String revision;

  private McpSession(int port, String path, String id, String revision) {
    this.port = port;
    this.path = path;
    this.id = id;
    this.revision = revision;
  }

  static String initialize(String revision) {
    return "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\""
        + revision
        + "\",\"capabilities\":{\"elicitation\":{},\"sampling\":{},\"roots\":{}},"
        + "\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}";
  }

  static McpSession open(int port) throws IOException {
    return open(port, "/mcp", "2025-11-25");
  }

  static McpSession open(int port, String path, String revision, String... headers)
      throws IOException {
    List<String> all = new ArrayList<>(List.of("Accept: " + McpSocket.BOTH));
    all.addAll(List.of(headers));
    try (McpSocket answer =
        McpSocket.send(port, "POST", path, initialize(revision), all.toArray(String[]::new))) {
      if (answer.status() != 200) {
        throw new AssertionError(answer.status() + " " + answer.body());
      }
      McpSession session =
          new McpSession(port, path, answer.header("Mcp-Session-Id").orElseThrow(), revision);
      try (McpSocket done =
          session.post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", headers)) {
        if (done.status() != 202) {
          throw new AssertionError(done.status() + " " + done.body());
        }
      }
      return session;
    }
  }

  static String call(String id) {
    return "{\"jsonrpc\":\"2.0\",\"id\":"
        + id
        + ",\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"arguments\":{}}}";
  }

  static String request(String id, String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":"
        + id
        + ",\"method\":\""
        + method
        + "\",\"params\":"
        + params
        + "}";
  }

  McpSocket post(String message, String... headers) throws IOException {
    return send("POST", message, "Accept: " + McpSocket.BOTH, headers);
  }

  McpSocket postTaking(String accept, String message, String... headers) throws IOException {
    return send("POST", message, "Accept: " + accept, headers);
  }

  McpSocket get(String... headers) throws IOException {
    return send("GET", "", "Accept: text/event-stream", headers);
  }

  McpSocket resume(String lastEventId) throws IOException {
    return get("Last-Event-ID: " + lastEventId);
  }

  McpSocket delete(String... headers) throws IOException {
    return send("DELETE", "", "Accept: */*", headers);
  }

  private McpSocket send(String verb, String body, String accept, String... headers)
      throws IOException {
    List<String> all = new ArrayList<>(List.of(accept, "Mcp-Session-Id: " + id));
    all.addAll(List.of(headers));
    return McpSocket.send(port, verb, path, body, all.toArray(String[]::new));
  }
}
