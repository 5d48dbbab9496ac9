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
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes in that no well-behaved client sends, byte by byte. */
class InputIT {
  private static final Charset LATIN = StandardCharsets.ISO_8859_1;
  private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}";

  private static final ScriptedBackend BACKEND = new ScriptedBackend("demo");
  private static TestGateway gateway;
  private static McpSession session;
  private static TestGateway.Holdings before;
  private static LoggedErrors errors;

  @BeforeAll
  static void start() throws Exception {
    gateway = TestGateway.start("limits.body = 64KiB", BACKEND);
    session = McpSession.open(gateway.port());
    before = gateway.holdings();
    errors = LoggedErrors.watch();
  }

  @AfterAll
  static void stop() {
    gateway.close();
    errors.close();
  }

  /** The leak oracle, after each test. */
  @AfterEach
  void nothingIsHeld() {
    TestGateway.until("nothing is held", () -> gateway.holdings().equals(before));
    assertEquals(0, (long) gateway.read(parts -> parts.services().tally().calls()));
    assertTrue(BACKEND.isQuiet());
  }

  /** A POST in the session, with {@code body} as it is. */
  private static McpSocket post(byte[] body, String... headers) throws Exception {
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

  private static McpSocket post(String body, String... headers) throws Exception {
    return post(body.getBytes(LATIN), headers);
  }

  private static void expect(int status, String part, McpSocket answer) throws Exception {
    try (answer) {
      assertEquals(status, answer.status());
      String body = answer.body();
      assertTrue(body.contains(part), body);
      assertTrue(body.length() <= 1024, body);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "nul",
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"} x",
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",}",
        "{\"jsonrpc\":\"2.0\",\"id\":5,/**/\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"params\":{\"a\":NaN}}",
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"params\":{\"a\":01}}",
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"method\":\"x\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"params\":{\"a\":{\"b\":1,\"b\":2}}}",
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"params\":{\"a\":\"\u0001\"}}",
        "{'jsonrpc':'2.0'}",
        // as ISO-8859-1 these are bytes that are no UTF-8, a BOM, an overlong, a surrogate
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"params\":{\"a\":\"\u00ff\u00fe\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"params\":{\"a\":\"\u00c0\u00af\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"params\":{\"a\":\"\u00ed\u00a0\u0080\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"params\":{\"a\":\"\u00c3\"}}",
        "\u00ef\u00bb\u00bf{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}",
      })
  @DisplayName("lifecycle 60, 61, 63: what is no JSON is -32700 without an id")
  void invalidJsonIsAParseError(String body) throws Exception {
    try (McpSocket answer = post(body)) {
      assertEquals(400, answer.status());
      String text = answer.body();
      assertTrue(text.contains("\"code\":-32700") && text.contains("\"id\":null"), text);
    }
  }

  @Test
  @DisplayName("lifecycle 61: UTF-16 is no JSON")
  void otherEncodingsAreParseErrors() throws Exception {
    expect(400, "-32700", post(PING.getBytes(StandardCharsets.UTF_16)));
    expect(400, "-32700", post(PING.getBytes(StandardCharsets.UTF_16LE)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "null",
        "\"x\"",
        "{}",
        "{\"id\":5,\"method\":\"ping\"}",
        "{\"jsonrpc\":\"1.0\",\"id\":5,\"method\":\"ping\"}",
        "{\"jsonrpc\":2.0,\"id\":5,\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":7}",
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"params\":7}",
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{},\"error\":{\"code\":1,\"message\":\"\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
        "[]",
      })
  @DisplayName("lifecycle 65, 66: JSON that is no message is -32600")
  void invalidMessagesAreInvalidRequests(String body) throws Exception {
    expect(400, "\"code\":-32600", post(body));
  }

  @Test
  @DisplayName("lifecycle 66, L54: a long id is refused and not echoed")
  void longIdIsNotEchoed() throws Exception {
    String id = "x".repeat(60_000);
    expect(
        400,
        "\"id\":null",
        post("{\"jsonrpc\":\"2.0\",\"id\":\"" + id + "\",\"method\":\"ping\"}"));
    String most = "y".repeat(200);
    expect(200, most, post("{\"jsonrpc\":\"2.0\",\"id\":\"" + most + "\",\"method\":\"ping\"}"));
  }

  @Test
  @DisplayName("lifecycle 62, L55: depth, width and digits are refused without a blocked loop")
  void monstrousJsonIsRefusedInTime() throws Exception {
    String head = "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"params\":";
    List<String> monsters =
        List.of(
            head + "{\"a\":".repeat(10_000),
            head + "[".repeat(60_000),
            head + "{\"a\":[" + "1,".repeat(10_001) + "1]}}",
            head + "{\"a\":" + "9".repeat(1_001) + "}}",
            head + "{\"a\":1e" + "9".repeat(1_001) + "}}");
    post(monsters.get(0)).status();
    for (String monster : monsters) {
      long start = System.nanoTime();
      expect(400, "\"code\":-32700", post(monster));
      long millis = (System.nanoTime() - start) / 1_000_000;
      assertTrue(millis < 500, "ms=" + millis + " " + monster.substring(0, 80));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":99}}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":{}}}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{}}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":0}}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"x\"}}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":999,\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":\"999\",\"error\":{\"code\":1,\"message\":\"m\"}}",
      })
  @DisplayName("lifecycle 67, 69, 70, 71, L51: what nobody waits for is taken and without effect")
  void unknownReferencesAreAccepted(String message) throws Exception {
    try (McpSocket answer = post(message)) {
      assertEquals(202, answer.status());
      assertTrue(answer.header("Content-Type").isEmpty());
      assertEquals("", answer.body());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text/plain|415",
        "application/x-www-form-urlencoded|415",
        "multipart/form-data; boundary=x|415",
        "application/json; charset=latin1|415",
        "application/jsonx|415",
        "application/json; charset=utf-8|200",
        "Application/JSON;charset=\"UTF-8\"|200",
      })
  @DisplayName("lifecycle 73, L73: only JSON in UTF-8 is read")
  void contentTypeDecides(String type, int status) throws Exception {
    expect(status, "", post(PING, "Content-Type: " + type));
  }

  @Test
  @DisplayName("lifecycle 73, 78: no type, or a compressed body, is 415")
  void untypedAndCompressedBodiesAreRefused() throws Exception {
    try (McpSocket none =
        McpSocket.raw(
            gateway.port(),
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")) {
      assertEquals(415, none.status());
    }
    expect(415, "unsupported_media_type", post(PING, "Content-Encoding: gzip"));
  }

  @Test
  @DisplayName("lifecycle 82: pipelined requests are answered in order, refused ones among them")
  void pipelinedRequestsAreAnsweredInOrder() throws Exception {
    StringBuilder all = new StringBuilder();
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.append(one("POST", "{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"method\":\"ping\"}"));
      expected.add(200);
      all.append(one("POST", "{"));
      expected.add(400);
      all.append("PUT /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc");
      expected.add(405);
      all.append("GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n");
      expected.add(404);
    }
    try (McpSocket socket = McpSocket.raw(gateway.port(), all.toString())) {
      int pings = 0;
      for (int status : expected) {
        assertEquals(status, socket.again().status());
        String body = socket.body();
        if (status == 200) {
          assertTrue(body.contains("\"id\":" + pings++ + ","), body);
        }
      }
    }
  }

  private static String one(String verb, String body) {
    return verb
        + " /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: */*\r\n"
        + "Mcp-Session-Id: "
        + session.id
        + "\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET http://localhost/mcp HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n|400",
        "GET * HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n|404",
        "GET /mcp HTTP/1.1\\r\\n\\r\\n|400",
        "GET /mcp HTTP/1.1\\r\\nHost: a\\r\\nHost: localhost\\r\\n\\r\\n|400",
        "GET /mcp HTTP/1.1\\r\\nHost: local host\\r\\n\\r\\n|400",
        "GET /mcp HTTP/1.1\\r\\nHost: localhost@evil\\r\\n\\r\\n|400",
        "GET /mcp HTTP/1.1\\r\\nHost: evil.example\\r\\n\\r\\n|403",
        "GET /mcp/%00 HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n|404",
        "HEAD /mcp HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n|405",
        "TRACE /mcp HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n|405",
        "CONNECT localhost:80 HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n|400",
        "BREW /mcp HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n|405",
        "GET /mcp HTTP/9.9\\r\\nHost: localhost\\r\\n\\r\\n|501",
        "nonsense\\r\\n\\r\\n|400",
        "GET /mcp HTTP/1.1\\r\\nHost: localhost\\r\\nA: b\\rInjected: c\\r\\n\\r\\n|400",
        "GET /mcp HTTP/1.1\\r\\nHost: localhost\\r\\nA b: c\\r\\n\\r\\n|400",
        "GET /mcp HTTP/1.1\\r\\nHost: localhost\\r\\n folded: c\\r\\n\\r\\n|400",
      })
  @DisplayName("lifecycle 3, 80: what is no proper HTTP request is refused")
  void improperRequestsAreRefused(String text, int status) throws Exception {
    String request = text.replace("\\r", "\r").replace("\\n", "\n");
    try (McpSocket answer = McpSocket.raw(gateway.port(), request)) {
      assertEquals(status, answer.status());
    }
  }

  @Test
  @DisplayName("lifecycle 81: the head decides before the body is invited")
  void bodyIsInvitedOnlyIfItsHeadIsGood() throws Exception {
    String head =
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nMcp-Session-Id: " + session.id;
    String json = "\r\nContent-Type: application/json";
    String expects = "\r\nExpect: 100-continue\r\nContent-Length: ";
    try (McpSocket refused = raw(head + "\r\nContent-Type: text/plain" + expects + "9\r\n\r\n")) {
      assertEquals(415, refused.status());
      refused.body();
      assertTrue(refused.isClosed());
    }
    try (McpSocket refused = raw(head + json + expects + "9999999\r\n\r\n")) {
      assertEquals(413, refused.status());
      refused.body();
      assertTrue(refused.isClosed());
    }
    try (McpSocket other = raw(head + json + "\r\nExpect: tea\r\nContent-Length: 2\r\n\r\n{}")) {
      assertEquals(417, other.status());
    }
    try (McpSocket invited = raw(head + json + expects + PING.length() + "\r\n\r\n")) {
      assertEquals(100, invited.status());
      invited.again().write(PING.getBytes(LATIN));
      assertEquals(200, invited.status());
    }
  }

  private static McpSocket raw(String text) throws Exception {
    return McpSocket.raw(gateway.port(), text);
  }

  @Test
  @DisplayName("lifecycle 77: a body over the cap is 413, chunked or not, and the connection ends")
  void bodiesAreBounded() throws Exception {
    String large = "x".repeat(64 * 1024 + 1);
    String chunked = Integer.toHexString(large.length()) + "\r\n" + large + "\r\n0\r\n\r\n";
    for (McpSocket answer : List.of(post(large), post(chunked, "Transfer-Encoding: chunked"))) {
      try (answer) {
        assertEquals(413, answer.status());
        assertTrue(answer.body().contains("too_large"));
        assertTrue(answer.isClosed());
      }
    }
  }
}
