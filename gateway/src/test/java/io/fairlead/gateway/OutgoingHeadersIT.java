package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.config.ConfigLoader;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an HTTP backend gets of its client's headers: nothing. */
class OutgoingHeadersIT {
  private static final Set<String> OWN =
      Set.of(
          "accept",
          "connection",
          "content-length",
          "content-type",
          "host",
          "mcp-protocol-version",
          "mcp-session-id",
          "x-fixed",
          "x-principal");
  private static final String KEYS =
      "auth { mode = api-key, api-keys { alice = key-of-alice-0123456789 } }\n";

  private final Vertx vertx = Vertx.vertx();
  private final Map<String, Set<String>> got = new ConcurrentSkipListMap<>();
  private HttpServer backend;

  @BeforeEach
  void listen() throws Exception {
    backend =
        vertx
            .createHttpServer()
            .requestHandler(
                request -> request.body().onSuccess(body -> answer(request, body.toString())))
            .listen(0, "127.0.0.1")
            .await(10, TimeUnit.SECONDS);
  }

  @AfterEach
  void stop() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  private void answer(HttpServerRequest request, String body) {
    request
        .headers()
        .forEach(
            (name, value) ->
                got.computeIfAbsent(
                        name.toLowerCase(Locale.ROOT), first -> new ConcurrentSkipListSet<>())
                    .add(value));
    JsonObject message = body.isEmpty() ? new JsonObject() : new JsonObject(body);
    if (!message.containsKey("id")) {
      request.response().setStatusCode(body.isEmpty() ? 405 : 202).end();
      return;
    }
    JsonObject result =
        switch (message.getString("method")) {
          case "initialize" ->
              new JsonObject()
                  .put("protocolVersion", "2025-11-25")
                  .put("capabilities", new JsonObject().put("tools", new JsonObject()))
                  .put("serverInfo", new JsonObject().put("name", "b").put("version", "1"));
          case "tools/list" ->
              new JsonObject()
                  .put(
                      "tools",
                      new JsonArray()
                          .add(
                              new JsonObject()
                                  .put("name", "t")
                                  .put("inputSchema", new JsonObject().put("type", "object"))));
          default -> new JsonObject().put("content", new JsonArray());
        };
    request
        .response()
        .putHeader("Content-Type", "application/json")
        .putHeader("Mcp-Session-Id", "of-the-backend")
        .putHeader("Set-Cookie", "canary=1")
        .putHeader("X-Canary", "1")
        .end(
            new JsonObject()
                .put("jsonrpc", "2.0")
                .put("id", message.getValue("id"))
                .put("result", result)
                .toBuffer());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", KEYS})
  @DisplayName("lifecycle 99, 101: of a client's headers nothing reaches a backend, nor back")
  void headersOfTheClientStayHere(String auth) throws Exception {
    String config =
        auth
            + "backends.b { type = http, url = \"http://127.0.0.1:"
            + backend.actualPort()
            + "/mcp\", headers.X-Fixed = fixed, principal-header = X-Principal }";
    try (TestGateway gateway = TestGateway.start(config)) {
      String[] hostile = {
        "Accept: " + McpSocket.BOTH,
        auth.isEmpty() ? "Authorization: Bearer canary" : "X-Api-Key: key-of-alice-0123456789",
        "Cookie: canary=1",
        "Proxy-Authorization: canary",
        "Proxy-Connection: canary",
        "Forwarded: for=canary",
        "X-Forwarded-For: canary",
        "X-Forwarded-Host: canary",
        "X-Principal: canary",
        "X-Fixed: canary",
        "Fairlead-Call: 7",
        "Connection: X-Hop",
        "X-Hop: canary",
        "TE: trailers",
        "User-Agent: canary",
        "Traceparent: canary",
        "X-Other: canary"
      };
      String id;
      try (McpSocket opening = gateway.send("POST", McpSession.initialize("2025-11-25"), hostile)) {
        id = opening.header("Mcp-Session-Id").orElseThrow();
      }
      List<String> all = new java.util.ArrayList<>(List.of(hostile));
      all.add("Mcp-Session-Id: " + id);
      try (McpSocket call =
          gateway.send("POST", McpSession.call("1"), all.toArray(String[]::new))) {
        assertEquals(200, call.status());
        String head = call.head().toString().toLowerCase(Locale.ROOT);
        assertFalse(head.contains("canary") || head.contains("of-the-backend"), head);
        assertTrue(call.message().data().contains("content"));
      }
      assertEquals(Set.of("fixed"), got.get("x-fixed"));
      assertFalse(got.toString().contains("canary"), got::toString);
      assertFalse(got.toString().contains("key-of-alice"), got::toString);
      assertFalse(got.toString().contains(id), got::toString);
      assertTrue(OWN.containsAll(got.keySet()), got::toString);
    }
  }

  @Test
  @DisplayName("lifecycle 100: there is no way to hand on what a client authenticated with")
  void credentialsOfClientsCannotBePassedOn() {
    for (String key : List.of("passthrough", "pass-token", "forward-headers")) {
      String refused =
          ConfigLoader.parse(
                  "backends.b { type = http, url = \"http://h/mcp\", " + key + " = true }")
              .fold(accepted -> "", problems -> problems.text());
      assertTrue(refused.contains(key + ": is not known"), refused);
    }
  }
}
