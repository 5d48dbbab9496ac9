package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.session.HeldBytes;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What clients say in initialize is kept with their sessions, and bounded: each, and together. */
class SessionBytesIT extends GatewayBench {
  private static final int MAX = 64 * 1024;
  private static final String BOUND = "\"limit\":\"session_bytes\"";

  /** An initialize whose params have {@code bytes}. */
  private static String initialize(int bytes) {
    String padding = "x".repeat(bytes - paramsLength(INITIALIZE));
    return INITIALIZE.replace("\"name\":\"test", "\"name\":\"test" + padding);
  }

  private static int paramsLength(String initialize) {
    return initialize.length() - initialize.indexOf("\"params\":") - "\"params\":".length() - 1;
  }

  private String opened(int bytes) throws Exception {
    try (McpSocket answer = send("POST", initialize(bytes))) {
      assertEquals(200, answer.status());
      return answer.header("Mcp-Session-Id").orElseThrow();
    }
  }

  private void refused(int bytes) throws Exception {
    try (McpSocket refused = send("POST", initialize(bytes))) {
      assertEquals(503, refused.status());
      assertEquals("1", refused.header("Retry-After").orElseThrow());
      assertTrue(refused.body().contains(BOUND));
    }
  }

  private void assertKnown(boolean known, String session) throws Exception {
    send("POST", PING, "Mcp-Session-Id: " + session).expect(known ? 200 : 404);
  }

  private void end(String session) throws Exception {
    gateway.send("DELETE", "", "Accept: */*", "Mcp-Session-Id: " + session).expect(204);
  }

  /** Other sessions hold all but {@code bytes}. */
  private void leave(int bytes) {
    gateway.read(
        parts -> {
          HeldBytes held = parts.services().tally().sessionBytes();
          return held.hold((int) held.limit() - bytes);
        });
  }

  private long held() {
    return gateway.read(parts -> parts.services().tally().sessionBytes().held());
  }

  @Test
  @DisplayName("params of initialize above 64 KiB are refused, in words that name them")
  void initializeThatSaysTooMuchIsRefused() throws Exception {
    start(MEASURED);
    try (McpSocket refused = send("POST", initialize(MAX + 1))) {
      assertEquals(413, refused.status());
      String body = refused.body();
      assertTrue(body.contains("\"reason\":\"too_large\"") && body.contains("\"id\":0"), body);
      assertTrue(body.contains("params of initialize are larger than 65536 bytes"), body);
    }
    assertEquals(Map.of("too_large", 1.0), gateway.refusals());
    assertEquals(0, gateway.holdings().sessions());
    end(opened(MAX));
    assertEquals(0, held());
  }

  @Test
  @DisplayName("above the bound of all together none is opened, if none may be evicted")
  void paramsOfAllSessionsAreBoundedTogether() throws Exception {
    start(MEASURED + "sessions.when-full = reject\n");
    leave(2 * MAX);
    String first = opened(MAX);
    String second = opened(MAX);
    refused(1000);
    assertKnown(true, first);
    assertEquals(Map.of("session_bytes", 1.0), gateway.refusals());
    String gauges = gateway.read(TestGateway::scrape);
    assertTrue(gauges.contains("fairlead_session_bytes_limit"), gauges);
    end(second);
    opened(1000);
  }

  @Test
  @DisplayName("the longest idle session makes room, and a large newcomer costs no small ones")
  void newcomerCostsOneSessionThatHoldsAsMuch() throws Exception {
    start(MEASURED);
    leave(MAX + 2000);
    String small = opened(1000);
    String large = opened(MAX);
    opened(1000);
    String larger = opened(MAX);
    assertKnown(false, large);
    assertKnown(true, larger);
    assertKnown(true, small);
    McpSocket stream =
        gateway.send("GET", "", "Accept: text/event-stream", "Mcp-Session-Id: " + larger);
    assertEquals(200, stream.status());
    refused(MAX);
    stream.close();
  }

  @Test
  @DisplayName("what a client subscribes to counts too, until it unsubscribes or its session ends")
  void subscriptionsCountAsWell() throws Exception {
    start(MEASURED);
    McpSession session = McpSession.open(gateway.port());
    long before = held();
    leave(3000);
    try (McpSocket refused = session.post(subscription("subscribe", 2000))) {
      assertTrue(refused.body().contains("\"overloaded\""));
    }
    assertTrue(backend.isQuiet());
    answered(session, subscription("subscribe", 1000));
    assertEquals(before + 2200, held() - limit() + 3000);
    assertEquals(Map.of("subscriptions", 1.0), gateway.refusals());
    answered(session, subscription("unsubscribe", 1000));
    answered(session, subscription("subscribe", 900));
    session.delete().expect(204);
    assertEquals(limit() - 3000, held());
  }

  private void answered(McpSession session, String message) throws Exception {
    try (McpSocket answer = session.post(message)) {
      backend.nextCall().answer("ok");
      assertTrue(answer.body().contains("ok"));
    }
  }

  private static String subscription(String verb, int chars) {
    String uri = "test://" + "x".repeat(chars - "test://".length());
    return McpSession.request("1", "resources/" + verb, "{\"uri\":\"" + uri + "\"}");
  }

  private long limit() {
    return gateway.read(parts -> parts.services().tally().sessionBytes().limit());
  }

  @Test
  @DisplayName("without sessions nothing is kept")
  void statelessGatewayKeepsNothing() throws Exception {
    start("sessions.mode = stateless\n");
    leave(0);
    long before = held();
    send("POST", initialize(MAX)).expect(200);
    send("POST", PING).expect(200);
    try (McpSocket refused = send("POST", subscription("subscribe", 100))) {
      assertTrue(refused.body().contains("\"stateless\""));
    }
    assertTrue(backend.isQuiet());
    assertEquals(before, held());
    send("POST", initialize(MAX + 1)).expect(413);
  }
}
