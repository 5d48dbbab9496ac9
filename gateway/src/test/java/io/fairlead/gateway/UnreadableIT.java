package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Bytes that are no request, or whose head is too large to be read. */
class UnreadableIT {
  private static final String HOST = " HTTP/1.1\r\nHost: localhost\r\n";
  private static final String NEXT = "GET /healthz" + HOST + "\r\n";

  private TestGateway gateway;
  private LoggedErrors errors;
  private Map<String, String> before;

  @BeforeEach
  void start() throws Exception {
    gateway =
        TestGateway.start("management { enabled = true, port = 0 }", new ScriptedBackend("demo"));
    before = gateway.gauges();
    errors = LoggedErrors.watch();
  }

  @AfterEach
  void nothingIsHeld() {
    TestGateway.until("nothing is held", () -> gateway.gauges().equals(before));
    gateway.close();
    errors.close();
  }

  @Test
  @DisplayName(
      "lifecycle 82: over 100 headers or 16 KiB of them are 431, a first line over 4 KiB is 414")
  void headsAreBounded() throws Exception {
    expect(431, "too_large", "POST /mcp" + HOST + "A: b\r\n".repeat(100) + "\r\n");
    expect(431, "too_large", "GET /mcp" + HOST + "A: " + "x".repeat(20_000) + "\r\n\r\n" + NEXT);
    expect(414, "too_large", "GET /mcp?" + "x".repeat(5_000) + HOST + "\r\n" + NEXT);
    String most = "GET /healthz" + HOST + "A: b\r\n".repeat(99) + "\r\n";
    try (McpSocket answer = McpSocket.raw(gateway.port(), most)) {
      assertEquals(200, answer.status());
    }
    assertEquals(Map.of("too_large", 3.0), gateway.refusals());
  }

  @Test
  @DisplayName("lifecycle 80: what is no HTTP is refused in words and counted, and ends there")
  void whatIsNoHttpIsRefused() throws Exception {
    expect(400, "malformed", "\u00fe\u0001x\r\n\r\n" + NEXT);
    expect(400, "malformed", "GET /mcp HTTP/x\r\nHost: localhost\r\n\r\n" + NEXT);
    expect(400, "malformed", "GET /mcp" + HOST + "A b: c\r\n\r\n" + NEXT);
    assertEquals(Map.of("malformed", 3.0), gateway.refusals());
  }

  @Test
  @DisplayName("lifecycle 80: a request without a Host is told so, whatever it asks for")
  void missingHostIsToldSo() throws Exception {
    for (String target : List.of("/mcp", "/healthz", "/.well-known/oauth-protected-resource")) {
      try (McpSocket answer = raw("GET " + target + " HTTP/1.1\r\n\r\n")) {
        assertEquals(400, answer.status());
        String text = answer.body();
        assertTrue(text.contains("Exactly one well-formed Host header is required."), text);
      }
    }
    try (McpSocket answer = raw("GET http://localhost/mcp" + HOST + "\r\n")) {
      assertEquals(400, answer.status());
      assertTrue(answer.body().contains("The request target must be a well-formed path."));
    }
  }

  @Test
  @DisplayName("another version of HTTP is refused in words and counted, and ends there")
  void unknownVersionsAreRefused() throws Exception {
    String reason = "unsupported_http_version";
    expect(505, reason, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0");
    expect(505, reason, "POST /mcp HTTP/1.2\r\nHost: localhost\r\n\r\n" + NEXT);
    expect(505, reason, "GET /healthz HTTP/3.0\r\nHost: localhost\r\n\r\n" + NEXT);
    expect(505, reason, "POST /mcp HTTP/0.9\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}" + NEXT);
    assertEquals(Map.of(reason, 4.0), gateway.refusals());
  }

  @Test
  @DisplayName("a bad Host and a bad path are told apart")
  void badHostIsNoBadPath() throws Exception {
    for (String host : List.of("evil@127.0.0.1", "a b", "127.0.0.1:x", "")) {
      try (McpSocket answer = raw("GET /mcp HTTP/1.1\r\nHost: " + host + "\r\n\r\n")) {
        assertEquals(400, answer.status());
        assertTrue(answer.body().contains("well-formed Host header"), host);
      }
    }
    for (String path : List.of("/mcp/%zz", "/mcp/%", "/mcp/%4")) {
      try (McpSocket answer = raw("GET " + path + HOST + "\r\n")) {
        assertEquals(400, answer.status());
        assertTrue(answer.body().contains("must be a well-formed path"), path);
      }
    }
  }

  private McpSocket raw(String request) throws Exception {
    return McpSocket.raw(gateway.port(), request);
  }

  @Test
  @DisplayName("who leaves within the head of a request is not refused")
  void leavingWithinTheHeadIsNoRefusal() throws Exception {
    String half = "POST /mcp HTTP/1.1\r\nHost: loc";
    McpSocket.raw(gateway.port(), half).reset();
    McpSocket.raw(gateway.port(), half).close();
    expect(400, "malformed", "x\r\n\r\n");
    TestGateway.until("they are gone", () -> gateway.gauges().equals(before));
    assertEquals(Map.of("malformed", 1.0), gateway.refusals());
  }

  /** Refused in words, and nothing after it is read. */
  private void expect(int status, String reason, String bytes) throws Exception {
    byte[] sent = bytes.getBytes(StandardCharsets.ISO_8859_1);
    try (McpSocket answer = McpSocket.raw(gateway.port(), sent)) {
      assertEquals(status, answer.status());
      assertEquals("close", answer.header("Connection").orElse(""));
      assertEquals("application/json", answer.header("Content-Type").orElse(""));
      assertTrue(answer.body().contains("\"reason\":\"" + reason + "\""));
      assertTrue(answer.isClosed());
    }
  }
}
