package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.net.ConnectException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a gateway that drains still does, and what not. */
class DrainRefusalsIT extends GatewayBench {

  @Test
  @DisplayName(
      "lifecycle 115: while it drains it is not ready, begins nothing, and hands out what runs")
  void nothingBeginsWhileTheGatewayDrains() throws Exception {
    start("shutdown.drain = 60s");
    int port = gateway.port();
    McpSession session = McpSession.open(port);
    McpSocket standalone = session.get();
    assertEquals(200, standalone.status());
    McpSocket post = session.post(McpSession.call("1"));
    String cursor = post.next().orElseThrow().id();
    OpenCall call = backend.nextCall();
    McpSocket.send(port, "GET", "/readyz", "").expect(200);
    Thread draining = new Thread(gateway::drain);
    draining.start();
    // its last chunk comes while the call still runs
    assertEquals(List.of(), standalone.rest());
    try (McpSocket ready = McpSocket.send(port, "GET", "/readyz", "")) {
      assertEquals(503, ready.status());
      assertTrue(ready.body().contains("\"status\":\"draining\""));
    }
    McpSocket.send(port, "GET", "/healthz", "").expect(200);
    expectDraining(send("POST", INITIALIZE));
    expectDraining(session.post(McpSession.call("2")));
    expectDraining(session.get());
    expectDraining(session.post(McpSession.request("3", "tools/list", "{}")));
    assertTrue(backend.isQuiet() && call.cancelled.isEmpty());
    post.close();
    McpSocket resumed = session.resume(cursor);
    assertEquals(200, resumed.status());
    call.answer("to whom resumes");
    assertTrue(resumed.message().data().contains("to whom resumes"));
    assertEquals(List.of(), resumed.rest());
    draining.join(20_000);
    assertFalse(draining.isAlive());
    // the link of the session, and the one that the catalog was read over
    assertEquals(List.of("link", "link"), backend.closed);
    assertThrows(ConnectException.class, () -> McpSocket.send(port, "GET", "/healthz", ""));
  }

  private static void expectDraining(McpSocket refused) throws Exception {
    try (refused) {
      assertEquals(503, refused.status());
      assertTrue(Integer.parseInt(refused.header("Retry-After").orElseThrow()) >= 1);
      assertTrue(refused.header("Mcp-Session-Id").isEmpty());
      String body = refused.body();
      assertTrue(body.contains("-32603") && body.contains("\"reason\":\"draining\""), body);
    }
  }
}
