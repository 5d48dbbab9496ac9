package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/**
 * A gateway for all tests of a class, a session on it, and requests byte by byte.
 *
 * <p>Thread: the test's.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class InputBench {
  protected static final Charset LATIN = StandardCharsets.ISO_8859_1;
  protected static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}";

  private final ScriptedBackend backend = new ScriptedBackend("demo");
  protected TestGateway gateway;
  protected McpSession session;
  private TestGateway.Holdings before;
  private LoggedErrors errors;

  @BeforeAll
  void start() throws Exception {
    gateway = TestGateway.start("limits.body = 64KiB", backend);
    session = McpSession.open(gateway.port());
    before = gateway.holdings();
    errors = LoggedErrors.watch();
  }

  @AfterAll
  void stop() {
    gateway.close();
    errors.close();
  }

  /** The leak oracle, after each test. */
  @AfterEach
  void nothingIsHeld() {
    TestGateway.until("nothing is held", () -> gateway.holdings().equals(before));
    assertEquals(0, (long) gateway.read(parts -> parts.services().tally().calls()));
    assertTrue(backend.isQuiet());
  }

  /** A POST in the session, with {@code body} as it is. */
  protected McpSocket post(byte[] body, String... headers) throws Exception {
    StringBuilder head = new StringBuilder("POST /mcp HTTP/1.1\r\nHost: localhost\r\n");
    List<String> all = new ArrayList<>(List.of(headers));
    all.add("Accept: " + McpSocket.BOTH);
    all.add("Mcp-Session-Id: " + session.id);
    if (all.stream().noneMatch(line -> line.startsWith("Content-Type"))) {
      all.add("Content-Type: application/json");
    }
    if (all.stream().noneMatch(line -> line.startsWith("Transfer-Encoding"))) {
      all.add("Content-Length: " + body.length);
    }
    all.forEach(line -> head.append(line).append("\r\n"));
    McpSocket socket = McpSocket.raw(gateway.port(), head.append("\r\n").toString());
    socket.write(body);
    return socket;
  }

  protected McpSocket post(String body, String... headers) throws Exception {
    return post(body.getBytes(LATIN), headers);
  }

  protected static void expect(int status, String part, McpSocket answer) throws Exception {
    try (answer) {
      assertEquals(status, answer.status());
      String body = answer.body();
      assertTrue(body.contains(part), body);
      assertTrue(body.length() <= 1024, body);
    }
  }
}
