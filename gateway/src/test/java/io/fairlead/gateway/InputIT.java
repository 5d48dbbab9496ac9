package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that no well-behaved client sends. */
class InputIT extends InputBench {
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
}
