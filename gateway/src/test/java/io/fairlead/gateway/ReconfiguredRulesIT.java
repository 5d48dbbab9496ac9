package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import io.fairlead.gateway.config.InvalidConfig;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Limits and credentials change while calls run; what cannot hold is refused whole. */
class ReconfiguredRulesIT extends ReconfigurationBench {
  private static final String KEY =
      "auth { mode = api-key, api-keys { a = \"0123456789abcdef\" } }";

  @Test
  void limitsHoldFromTheNextRequestOn() throws Exception {
    start("", a);
    McpSession session = McpSession.open(gateway.port());
    gateway.apply("limits { calls-per-session = 1, body = 1KiB, depth = 3 }", a);
    McpSocket first = session.post(McpSession.call("1"));
    OpenCall call = a.nextCall();
    try (McpSocket second = session.post(McpSession.call("2"))) {
      assertEquals(503, second.status());
    }
    try (McpSocket large =
        session.post(McpSession.request("3", "ping", "{\"x\":\"" + "x".repeat(2000) + "\"}"))) {
      assertEquals(413, large.status());
    }
    try (McpSocket deep = session.post(McpSession.request("4", "ping", "{\"x\":[[[]]]}"))) {
      assertEquals(400, deep.status());
    }
    call.answer("unharmed");
    assertTrue(first.message().data().contains("unharmed"));
  }

  @Test
  void authenticationHoldsFromTheNextRequestOn() throws Exception {
    start("", a);
    McpSession session = McpSession.open(gateway.port());
    gateway.apply(KEY, a);
    try (McpSocket refused = session.post(LIST)) {
      assertEquals(401, refused.status());
    }
    try (McpSocket welcome =
        gateway.send(
            "POST",
            McpSession.initialize("2025-11-25"),
            "Accept: " + McpSocket.BOTH,
            "X-Api-Key: 0123456789abcdef")) {
      assertEquals(200, welcome.status());
    }
    gateway.apply("", a);
    assertTrue(answer(session, LIST).contains("\"t\""), "the session of before is there again");
  }

  @Test
  @DisplayName(
      "lifecycle 84: streams end when credentials are withdrawn; who still has some resumes")
  void streamsAreAuthenticatedAnew() throws Exception {
    String key = "X-Api-Key: 0123456789abcdef";
    start(KEY, a);
    McpSession session = McpSession.open(gateway.port(), "/mcp", "2025-11-25", key);
    McpSocket standalone = session.get(key);
    McpSocket post = session.post(McpSession.call("1"), key);
    String cursor = post.next().orElseThrow().id();
    OpenCall call = a.nextCall();
    gateway.apply("auth { mode = api-key, api-keys { b = \"fedcba9876543210\" } }", a);
    assertEquals(List.of(), standalone.rest());
    assertEquals(List.of(), post.rest());
    session.get("Last-Event-ID: " + cursor, key).expect(401);
    gateway.apply(KEY, a);
    call.answer("unharmed");
    McpSocket resumed = session.get("Last-Event-ID: " + cursor, key);
    assertTrue(resumed.message().data().contains("unharmed"));
  }

  /** Its key set cannot be fetched, so nothing of the change is applied. */
  @Test
  void changeWhoseKeysCannotBeFetchedIsRefusedWhole() throws Exception {
    start("", a);
    int closed;
    try (ServerSocket unused = new ServerSocket(0)) {
      closed = unused.getLocalPort();
    }
    String jwt =
        """
        limits.calls-per-session = 1
        auth { mode = jwt, resource = "http://127.0.0.1/mcp", jwt {
          issuer = "http://127.0.0.1", jwks-url = "http://127.0.0.1:%d/keys" } }
        """
            .formatted(closed);
    Exception refused = assertThrows(Exception.class, () -> gateway.apply(jwt, a, b));
    assertTrue(refused.getMessage().contains("auth.jwt.jwks-url"), refused::getMessage);
    McpSession session = McpSession.open(gateway.port());
    String tools = answer(session, LIST);
    assertTrue(tools.contains("\"t\"") && !tools.contains("b__t"), tools);
    assertEquals(64, number(p -> p.services().config().limits().callsPerSession()));
  }

  @Test
  void localBackendWithoutToolsIsRefusedWhole() throws Exception {
    start("", a);
    Exception refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> gateway.apply("limits.calls = 1\nbackends.c.type = local", a));
    assertTrue(refused.getMessage().startsWith("backends.c: "), refused::getMessage);
    assertEquals(4096, number(p -> p.services().config().limits().calls()));
  }

  @Test
  void whatNeedsARestartIsNamedAndTheRestApplied() throws Exception {
    start("", a);
    int port = gateway.port();
    var change = gateway.apply("listen.path = \"/other\", limits.calls = 7", a);
    assertEquals(List.of("listen.path"), change.needRestart());
    McpSession.open(port);
    assertEquals(7, number(p -> p.services().config().limits().calls()));
  }

  @Test
  void unsafeRemainderIsRefused() throws Exception {
    start("listen.host = \"0.0.0.0\"\n" + KEY, a);
    assertThrows(InvalidConfig.class, () -> gateway.apply("", a));
  }
}
