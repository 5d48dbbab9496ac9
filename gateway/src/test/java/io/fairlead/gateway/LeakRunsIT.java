package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The same many times over real connections, after which every gauge is back. {@code
 * -Dleak.runs=100000} makes it a long run.
 */
class LeakRunsIT {
  private static final int RUNS = Integer.getInteger("leak.runs", 2_000);
  private static final int AT_ONCE = 100;
  private static final int MAX = 1_000;
  private static final int MALFORMED = 300;
  private static final double GROWTH = 1.05;
  private static final String INITIALIZE = McpSession.initialize("2025-11-25");
  private static final String INITIALIZED =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
  private static final String JSON = "\r\nContent-Type: application/json";
  private static final String HOST = "\r\nHost: localhost";

  /** What is refused, and with which status. */
  private static final Map<String, Integer> REFUSED =
      Map.ofEntries(
          Map.entry(post(HOST + JSON + "\r\nAccept: text/html", INITIALIZE), 406),
          Map.entry(post(HOST + "\r\nContent-Type: text/plain", INITIALIZE), 415),
          Map.entry(post(HOST + JSON, "{"), 400),
          Map.entry(post(HOST + JSON, "[]"), 400),
          Map.entry(post(HOST + JSON, McpSession.call("1")), 400),
          Map.entry(post(JSON + "\r\nHost: evil.example.com", INITIALIZE), 403),
          Map.entry(post(HOST + JSON + "\r\nOrigin: https://evil.example.com", INITIALIZE), 403),
          Map.entry("PUT /mcp HTTP/1.1" + HOST + "\r\n\r\n", 405),
          Map.entry("HEAD /mcp HTTP/1.1" + HOST + "\r\n\r\n", 405),
          Map.entry(
              "POST /mcp HTTP/1.1" + HOST + JSON + "\r\nContent-Length: 99999999\r\n\r\n", 413),
          Map.entry("GET /mcp HTTP/1.1" + HOST + "\r\nAccept: text/event-stream\r\n\r\n", 400),
          Map.entry("DELETE /mcp HTTP/1.1" + HOST + "\r\n\r\n", 400),
          Map.entry("DELETE /mcp HTTP/1.1" + HOST + "\r\nMcp-Session-Id: x\r\n\r\n", 404));

  private final ScriptedBackend backend = new ScriptedBackend("demo");
  private TestGateway gateway;
  private Map<String, String> before;

  @BeforeEach
  void start() throws Exception {
    gateway =
        TestGateway.start(
            """
            management { enabled = true, port = 0 }
            sessions { max = %d, idle-timeout = 1s }
            limits.body-timeout = 1s
            """
                .formatted(MAX),
            backend);
    McpSession.open(gateway.port()).delete().expect(204);
    TestGateway.until("nothing is open", () -> gauge("fairlead_connections").equals("0.0"));
    before = gateway.gauges();
    assertTrue(before.size() > 10, before.toString());
  }

  @AfterEach
  void everyGaugeIsBack() {
    try (TestGateway closing = gateway) {
      TestGateway.until(
          "from " + closing.gauges() + " to " + before, () -> closing.gauges().equals(before));
    }
  }

  private String gauge(String name) {
    return gateway.gauges().get(name);
  }

  @Test
  @DisplayName("lifecycle 34: initialize and DELETE, over and over, leave nothing")
  void deletedSessionsLeaveNothing() throws Exception {
    try (KeptConnection client = new KeptConnection(gateway.port())) {
      openAndDelete(client, RUNS / 10);
      long warm = usedHeap();
      openAndDelete(client, RUNS);
      assertEquals(0, gateway.holdings().sessions());
      long after = usedHeap();
      System.out.printf("initialize and DELETE: runs=%d heap=%d to %d%n", RUNS, warm, after);
      assertTrue(after <= warm * GROWTH, "heap=" + warm + " to " + after);
    }
  }

  private static void openAndDelete(KeptConnection client, int runs) throws IOException {
    for (int done = 0; done < runs; done += AT_ONCE) {
      List<String> deletes = new ArrayList<>();
      for (String session : open(client)) {
        deletes.add(KeptConnection.request("DELETE", session, ""));
      }
      client.exchange(deletes).forEach(answer -> assertEquals(204, answer.status()));
    }
  }

  private static List<String> open(KeptConnection client) throws IOException {
    String request = KeptConnection.request("POST", "", INITIALIZE);
    List<String> sessions = new ArrayList<>();
    for (KeptConnection.Answer answer : client.exchange(Collections.nCopies(AT_ONCE, request))) {
      assertEquals(200, answer.status());
      sessions.add(answer.session());
    }
    return sessions;
  }

  @Test
  @DisplayName("lifecycle 35: initialize without DELETE stays within the bound, and expires")
  void leftSessionsExpire() throws Exception {
    int peak = 0;
    try (KeptConnection client = new KeptConnection(gateway.port())) {
      for (int done = 0; done < RUNS; done += AT_ONCE) {
        List<String> confirms = new ArrayList<>();
        for (String session : open(client)) {
          confirms.add(KeptConnection.request("POST", session, INITIALIZED));
        }
        client.exchange(confirms).forEach(answer -> assertEquals(202, answer.status()));
        peak = Math.max(peak, gateway.holdings().sessions());
      }
    }
    System.out.printf("initialize without DELETE: runs=%d peak=%d max=%d%n", RUNS, peak, MAX);
    assertTrue(peak <= MAX, "peak=" + peak);
  }

  @Test
  @DisplayName("lifecycle 3: 300 of each request that is refused leave nothing")
  void refusedRequestsLeaveNothing() throws Exception {
    for (Map.Entry<String, Integer> refused : REFUSED.entrySet()) {
      for (int i = 0; i < MALFORMED; i++) {
        try (McpSocket answer = McpSocket.raw(gateway.port(), refused.getKey())) {
          assertEquals(refused.getValue(), answer.status(), refused.getKey());
        }
      }
    }
  }

  @Test
  @DisplayName("lifecycle 8: openings whose body never ends stop nobody, and are let go")
  void halfOpenOpeningsLeaveNothing() throws Exception {
    int wave = 500;
    for (int done = 0; done < RUNS / 10; done += wave) {
      List<McpSocket> halves = new ArrayList<>();
      for (int i = 0; i < wave; i++) {
        String whole = post(HOST + JSON, INITIALIZE);
        halves.add(McpSocket.raw(gateway.port(), whole.substring(0, whole.length() - 9)));
      }
      McpSession.open(gateway.port()).delete().expect(204);
      for (McpSocket half : halves) {
        half.expect(408);
      }
    }
  }

  private static String post(String headers, String body) {
    String length = "\r\nContent-Length: " + body.length();
    return "POST /mcp HTTP/1.1" + headers + length + "\r\n\r\n" + body;
  }

  private static long usedHeap() {
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
    }
    return used;
  }
}
