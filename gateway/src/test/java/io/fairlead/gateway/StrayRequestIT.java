package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Messages without an id that have the method of a request (lifecycle 65). */
class StrayRequestIT {
  private static final String OWN =
      "{\"jsonrpc\":\"2.0\",\"method\":\"codex/event\",\"params\":{}}";

  private final ScriptedBackend backend = new ScriptedBackend("demo");
  private TestGateway gateway;
  private McpSession session;
  private McpSocket call;
  private OpenCall open;

  @BeforeEach
  void start() throws Exception {
    gateway = TestGateway.start("", backend);
    session = McpSession.open(gateway.port(), "/mcp", "2025-03-26");
    call = session.post(McpSession.call("1"));
    open = backend.nextCall();
  }

  @AfterEach
  void stop() throws Exception {
    call.close();
    gateway.close();
  }

  private static String stray(String method) {
    return "{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\",\"params\":{\"name\":\"t\"}}";
  }

  @Test
  @DisplayName("lifecycle 65: of a client it is refused, alone and in a batch, and reaches nobody")
  void requestOfAClientNeedsAnId() throws Exception {
    String ping = McpSession.request("2", "ping", "{}");
    for (String method : List.of("tools/call", "initialize", "ping", "x/y", "tasks/cancel")) {
      expectRefusal(stray(method));
      expectRefusal("[" + ping + "," + stray(method) + "]");
    }
    // what had gone before it would be there before it
    String last = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/roots/list_changed\"}";
    session.post(last).expect(202);
    assertEquals(last, backend.notifications.poll(10, TimeUnit.SECONDS));
    assertTrue(backend.notifications.isEmpty() && backend.isQuiet());
  }

  private void expectRefusal(String body) throws Exception {
    try (McpSocket answer = session.post(body)) {
      assertEquals(400, answer.status());
      String text = answer.body();
      assertTrue(text.contains("a request needs an id"), text);
      assertTrue(text.contains("\"reason\":\"malformed\""), text);
    }
  }

  @Test
  @DisplayName("lifecycle 65: of a backend it reaches no client, unlike what is of its own making")
  void requestOfABackendNeedsAnId() throws Exception {
    open.say(stray("sampling/createMessage"));
    open.say(OWN);
    assertEquals(OWN, call.message().data());
    try (McpSocket stream = session.get()) {
      assertEquals(200, stream.status());
      ScriptedBackend.OpenLink link = backend.links.get(backend.links.size() - 1);
      link.say(stray("tools/call"));
      link.say(OWN);
      assertEquals(OWN, stream.message().data());
    }
  }

  @Test
  @DisplayName("lifecycle 65: with an id it is a request, whatever its method")
  void notificationWithAnIdIsARequest() throws Exception {
    open.say(McpSession.request("7", "notifications/tools/list_changed", "{}"));
    String asked = call.message().data();
    assertTrue(asked.contains("\"id\":") && !asked.contains("\"id\":7,"), asked);
  }
}
