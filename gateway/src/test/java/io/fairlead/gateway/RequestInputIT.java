package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that no well-behaved client sends. */
class RequestInputIT extends InputBench {
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

  private String one(String verb, String body) {
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
        "GET /mcp HTTP/9.9\\r\\nHost: localhost\\r\\n\\r\\n|505",
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

  private McpSocket raw(String text) throws Exception {
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
