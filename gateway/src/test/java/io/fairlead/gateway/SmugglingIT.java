package io.fairlead.gateway;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests whose end cannot be known: lifecycle 80. */
class SmugglingIT {
  private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.1 (\\d{3})");
  private static final String SMUGGLED = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private static TestGateway gateway;

  @BeforeAll
  static void start() throws Exception {
    gateway = TestGateway.start("", new ScriptedBackend("demo"));
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
