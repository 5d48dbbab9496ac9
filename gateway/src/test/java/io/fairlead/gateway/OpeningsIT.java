package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.http.HttpServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Openings that fail, and what is left of them: nothing. */
class OpeningsIT {
  private static final String MEASURED = "management { enabled = true, port = 0 }\n";
  private static final String KEYS = "auth { mode = api-key, api-keys.a = 0123456789abcdef }\n";
  private static final String ACCEPT = "Accept: " + McpSocket.BOTH;
  private static final String INIT = McpSession.initialize("2025-11-25");
  private static final String CONNECTIONS = "fairlead_connections";
  private static final int TIMES = 300;

  private final ScriptedBackend backend = new ScriptedBackend("demo");
  private TestGateway gateway;
  private Map<String, String> before;
  private LoggedErrors errors;

  private void start(String hocon) throws Exception {
    errors = LoggedErrors.watch();
    gateway = TestGateway.start(MEASURED + hocon, backend);
    TestGateway.until(
        "the backend is up", () -> gateway.read(p -> p.services().catalog().state("demo").isUp()));
    before = gateway.gauges();
  }

  @AfterEach
  void nothingIsHeld() {
    try (TestGateway closing = gateway) {
      TestGateway.until("every gauge is back", () -> closing.gauges().equals(before));
    }
    errors.close();
  }

  @Test
  @DisplayName("lifecycle 3, 13: 300 requests of each verb without credentials leave nothing")
  void strangersLeaveNothing() throws Exception {
    start(KEYS);
    for (int i = 0; i < TIMES; i++) {
      for (String verb : List.of("POST", "GET", "DELETE")) {
        gateway.send(verb, INIT, ACCEPT).expect(401);
      }
      gateway.send("OPTIONS", "").expect(204);
    }
  }

  @Test
  @DisplayName("lifecycle 4: malformed params of initialize are -32602, and open no session")
  void malformedParamsOpenNothing() throws Exception {
    start("");
    for (String malformed :
        List.of(
            INIT.replace("\"2025-11-25\"", "20251125"),
            INIT.replace("\"2025-11-25\"", "null"),
            INIT.replace("clientInfo", "clientInf"),
            INIT.replace("\"capabilities\":{", "\"capabilities\":[{").replace("},\"cl", "}],\"cl"),
            INIT.replace("params", "parameters"))) {
      try (McpSocket refused = gateway.send("POST", malformed, ACCEPT)) {
        assertEquals(400, refused.status(), malformed);
        assertTrue(refused.header("Mcp-Session-Id").isEmpty());
        String body = refused.body();
        assertTrue(body.contains("-32602") && body.contains("\"id\":0"), body);
      }
    }
  }

  @Test
  @DisplayName("lifecycle 16: what is of the stateless revision opens no session")
  void modernRequestsOpenNothing() throws Exception {
    start("");
    String discover = McpSession.request("1", "server/discover", "{}");
    String meta = "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}";
    List<McpSocket> answers =
        List.of(
            gateway.send("POST", discover, ACCEPT),
            gateway.send("POST", McpSession.request("1", "tools/list", meta), ACCEPT),
            gateway.send("POST", McpSession.call("1"), ACCEPT, "MCP-Protocol-Version: 2026-07-28"));
    for (McpSocket answer : answers) {
      try (answer) {
        assertEquals(400, answer.status());
        assertTrue(answer.header("Mcp-Session-Id").isEmpty());
      }
    }
    assertTrue(backend.isQuiet());
  }

  @Test
  @DisplayName("lifecycle 7: leaving in the middle of a body leaves nothing, whatever it was for")
  void leavingInTheMiddleLeavesNothing() throws Exception {
    start("");
    McpSession session = McpSession.open(gateway.port());
    List<McpSocket> halves = new ArrayList<>();
    for (String verb : List.of("POST", "GET", "DELETE", "PUT", "OPTIONS")) {
      for (String id : List.of("", "Mcp-Session-Id: " + session.id + "\r\n")) {
        for (String framing : List.of("Content-Length: 99", "Transfer-Encoding: chunked")) {
          String head =
              verb
                  + " /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                  + (ACCEPT + "\r\n" + id + framing)
                  + "\r\n\r\n";
          String body = framing.startsWith("C") ? "{\"json" : "6\r\n{\"json\r\n";
          halves.add(McpSocket.raw(gateway.port(), head + body));
        }
      }
    }
    for (int i = 0; i < halves.size(); i++) {
      if (i % 2 == 0) {
        halves.get(i).reset();
      } else {
        halves.get(i).close();
      }
    }
    // it may have been ended by one of them
    TestGateway.until("they are gone", () -> gateway.gauges().get(CONNECTIONS).equals("0.0"));
    session.delete().close();
    String scrape = gateway.read(TestGateway::scrape);
    assertTrue(!scrape.contains("reason=\"internal\""), scrape);
  }

  @Test
  @DisplayName("lifecycle 5, 11: initialize that the only backend answers with an error is 502")
  void errorOfTheBackendOpensNothing() throws Exception {
    start("");
    HttpServer refusing =
        gateway
            .vertx()
            .createHttpServer()
            .requestHandler(
                request ->
                    request
                        .response()
                        .putHeader("Content-Type", "application/json")
                        .end(
                            "{\"jsonrpc\":\"2.0\",\"id\":1,"
                                + "\"error\":{\"code\":-32603,\"message\":\"no\"}}"))
            .listen(0, "127.0.0.1")
            .await(10, TimeUnit.SECONDS);
    String url = "http://127.0.0.1:" + refusing.actualPort() + "/mcp";
    try (TestGateway other =
        TestGateway.start(MEASURED + "backends.b { type = http, url = \"" + url + "\" }")) {
      try (McpSocket refused = other.send("POST", INIT, ACCEPT)) {
        assertEquals(502, refused.status());
        assertTrue(refused.header("Mcp-Session-Id").isEmpty());
        String body = refused.body();
        assertTrue(body.contains("-32603") && body.contains("backend_unavailable"), body);
      }
      assertEquals(new TestGateway.Holdings(0, 0, 0, 0, 0, 0), other.holdings());
      assertEquals("0.0", other.gauges().get("fairlead_links{backend=\"b\"}"));
    }
    refusing.close().await(10, TimeUnit.SECONDS);
  }
}
