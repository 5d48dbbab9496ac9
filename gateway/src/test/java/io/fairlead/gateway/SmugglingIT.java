package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests whose end cannot be known: lifecycle 80. */
class SmugglingIT {
  private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.1 (\\d{3})");
  private static final String SMUGGLED = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private static final ScriptedBackend BACKEND = new ScriptedBackend("demo");
  private static TestGateway gateway;

  @BeforeAll
  static void start() throws Exception {
    gateway = TestGateway.start("", BACKEND);
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  @ParameterizedTest
  @CsvSource({
    "POST /mcp, Transfer-Encoding: xchunked",
    "GET /mcp, Transfer-Encoding: xchunked",
    "DELETE /mcp, Transfer-Encoding: xchunked",
    "GET /healthz, Transfer-Encoding: xchunked",
    "GET /nowhere, Transfer-Encoding: xchunked",
    "GET /mcp%zz, Transfer-Encoding: xchunked",
    "POST /mcp, 'Transfer-Encoding: gzip, chunked'",
    "POST /mcp, 'Transfer-Encoding: chunked\r\nContent-Length: 4'",
    "POST /mcp, 'Content-Length: 4\r\nContent-Length: 5'",
    "POST /mcp, 'Content-Length: 0\r\nContent-Length: 0'",
    "POST /mcp, 'Content-Length: -1'",
  })
  void requestOfUnknownLengthIsRefusedAndTheConnectionClosed(String start, String header)
      throws Exception {
    for (boolean together : new boolean[] {true, false}) {
      String head = start + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n\r\n";
      List<String> statuses = statuses(head, together);
      assertTrue(
          statuses.equals(List.of("400")) || statuses.equals(List.of("reset")),
          () -> start + " " + header + " " + statuses);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zz\r\n%2$s\r\n0\r\n\r\n",
        "-1\r\n%2$s\r\n0\r\n\r\n",
        "\r\n%2$s\r\n0\r\n\r\n",
        "%1$x\n%2$s\r\n0\r\n\r\n",
        "%1$x\r\n%2$szz\r\n\r\n",
        "%1$x\r\n%2$s0\r\n\r\n",
        "%1$x\r\n%2$s\n0\r\n\r\n",
        "%1$x\r\n%2$s, behind it\r\n0\r\n\r\n",
        "%1$x\r\n%2$s\r\nzz\r\n\r\n",
        "%1$x\r\n%2$s\r\n0\n\n",
        "%1$x\r\n%2$s\r\n0\r\nno header\r\n\r\n",
        "%1$x\r\n%2$s\r\n0\r\nX-Long: %3$s\r\n\r\n",
      })
  @DisplayName("a body in broken chunks closes the connection without an answer; nothing runs")
  void brokenChunksCloseTheConnection(String chunks) throws Exception {
    McpSession session = McpSession.open(gateway.port());
    String call = McpSession.call("1");
    String head = head(session, "Transfer-Encoding: chunked");
    String body = chunks.formatted(call.length(), call, "x".repeat(20_000));
    try (McpSocket together = McpSocket.raw(gateway.port(), head + body);
        McpSocket apart = McpSocket.raw(gateway.port(), head)) {
      apart.write(body.getBytes(StandardCharsets.US_ASCII));
      assertTrue(together.isClosed() && apart.isClosed());
    }
    assertTrue(BACKEND.isQuiet());
    session.delete().expect(204);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("what follows a request and is none closes the connection behind the answer")
  void garbageBehindARequestIsNoHarm(boolean together) throws Exception {
    McpSession session = McpSession.open(gateway.port());
    String call = McpSession.call("1");
    String request = head(session, "Content-Length: " + call.length()) + call;
    String garbage = "garbage\r\n\r\n";
    try (McpSocket post = McpSocket.raw(gateway.port(), together ? request + garbage : request)) {
      ScriptedBackend.OpenCall running = BACKEND.nextCall();
      if (!together) {
        post.write(garbage.getBytes(StandardCharsets.US_ASCII));
      }
      running.answer("unharmed");
      assertTrue(post.message().data().contains("unharmed"));
      assertTrue(post.rest().isEmpty());
      assertEquals(400, post.again().status());
      assertTrue(post.body().contains("\"reason\":\"malformed\""));
      assertTrue(post.isClosed());
    }
    session.delete().expect(204);
  }

  private static String head(McpSession session, String framing) {
    return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: "
        + (McpSocket.BOTH + "\r\nMcp-Session-Id: " + session.id + "\r\n" + framing)
        + "\r\n\r\n";
  }

  /** Every status that is answered until the connection ends; one reset may take them along. */
  private static List<String> statuses(String head, boolean together) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", gateway.port())) {
      socket.setSoTimeout(10_000);
      socket.setTcpNoDelay(true);
      String first = together ? head + SMUGGLED : head;
      socket.getOutputStream().write(first.getBytes(StandardCharsets.US_ASCII));
      if (!together) {
        socket.getOutputStream().write(SMUGGLED.getBytes(StandardCharsets.US_ASCII));
      }
      String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return STATUS_LINE.matcher(all).results().map(SmugglingIT::status).toList();
    } catch (SocketException reset) {
      return List.of("reset");
    }
  }

  private static String status(MatchResult line) {
    return line.group(1);
  }
}
