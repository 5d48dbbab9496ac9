package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that are wrong in several ways are refused for the first in a fixed order. */
class OrderOfChecksIT {
  private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}";

  private static TestGateway gateway;
  private static McpSession session;

  @BeforeAll
  static void start() throws Exception {
    gateway = TestGateway.start("", new ScriptedBackend("demo"));
    session = McpSession.open(gateway.port());
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  /**
   * The order of checks: each request has every fault from its line on, so what is refused is the
   * first. A request line, then headers, then the body.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PUT|evil.example|http://evil|text/plain|image/png|1999|a b|x|405 method_not_allowed",
        "POST|evil.example|http://evil|text/plain|image/png|1999|a b|x|403 host_forbidden",
        "POST|localhost|http://evil|text/plain|image/png|1999|a b|x|403 origin_forbidden",
        "POST|localhost|http://localhost|text/plain|image/png|1999|a b|x|415"
            + " unsupported_media_type",
        "POST|localhost|http://localhost|application/json|image/png|1999|a b|x|406 not_acceptable",
        "POST|localhost|http://localhost|application/json|*/*|1999|a b|x|400 malformed",
        "POST|localhost|http://localhost|application/json|*/*|1999|unknown|x|404 session_unknown",
        "POST|localhost|http://localhost|application/json|*/*|1999|unknown|PING|400"
            + " unsupported_version",
        "POST|localhost|http://localhost|application/json|*/*|1999|SESSION|x|400"
            + " unsupported_version",
        "POST|localhost|http://localhost|application/json|*/*|2025-06-18|SESSION|x|400"
            + " version_mismatch",
        "POST|localhost|http://localhost|application/json|*/*|2025-11-25|SESSION|x|400 malformed",
        "POST|localhost|http://localhost|application/json|*/*|2025-11-25|SESSION|{}|400 malformed",
        "POST|localhost|http://localhost|application/json|*/*|2025-11-25|unknown|{}|404"
            + " session_unknown",
        "GET|evil.example|http://evil|-|image/png|1999|a b||403 host_forbidden",
        "GET|localhost|http://localhost|-|text/event-stream|1999|unknown||400 unsupported_version",
        "GET|localhost|http://localhost|-|image/png|1999|unknown||406 not_acceptable",
        "DELETE|localhost|http://localhost|-|*/*|1999|unknown||400 unsupported_version",
        "DELETE|localhost|http://localhost|-|*/*|2025-11-25|unknown||404 session_unknown",
      })
  @DisplayName("contract: of several faults the first in the order of checks is told")
  void firstFaultInTheOrderIsTold(
      String verb,
      String host,
      String origin,
      String type,
      String accept,
      String version,
      String id,
      String body,
      String expected)
      throws Exception {
    String text = body == null ? "" : body.replace("PING", PING);
    String request =
        verb
            + " /mcp HTTP/1.1\r\nHost: "
            + host
            + "\r\nOrigin: "
            + origin
            + "\r\nContent-Type: "
            + type
            + "\r\nAccept: "
            + accept
            + "\r\nMCP-Protocol-Version: "
            + version
            + "\r\nMcp-Session-Id: "
            + id.replace("SESSION", session.id)
            + "\r\nContent-Length: "
            + text.length()
            + "\r\n\r\n"
            + text;
    try (McpSocket answer = McpSocket.raw(gateway.port(), request)) {
      String found = answer.body();
      String reason = found.replaceAll(".*\"reason\":\"([a-z_]+)\".*", "$1");
      assertEquals(expected, answer.status() + " " + reason, found);
      assertFalse(found.contains("evil"), found);
    }
  }
}
