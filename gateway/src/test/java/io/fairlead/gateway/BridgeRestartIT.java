package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is not there yet, goes away, or comes back as another run. */
class BridgeRestartIT {
  @TempDir Path directory;

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static TestGateway gateway(int port, ScriptedBackend backend) throws Exception {
    return TestGateway.start("listen.port = " + port + "\n", backend);
  }

  @Test
  @DisplayName("streams 43, 45: initialize waits for the server; ping and cancel do not")
  void initializeWaitsForTheServer() throws Exception {
    int port = freePort();
    try (BridgeProcess bridge = BridgeProcess.start(port)) {
      bridge.send(BridgeProcess.INITIALIZE);
      bridge.send(McpSession.request("1", "ping", "{}"));
      assertEquals(1, bridge.next().getValue("id"));
      bridge.send(McpSession.call("2"));
      bridge.send(McpSession.call("3"));
      bridge.send(
          "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":3}}");
      bridge.send(McpSession.call("4"));
      ScriptedBackend backend = new ScriptedBackend("scripted");
      try (TestGateway gateway = gateway(port, backend)) {
        assertEquals("init", bridge.next().getValue("id"));
        backend.nextCall().answer("held back until then");
        assertEquals(2, bridge.next().getValue("id"));
        backend.nextCall().answer("the next but one");
        assertEquals(4, bridge.next().getValue("id"));
        assertTrue(backend.isQuiet());
        assertEquals(1, gateway.holdings().sessions());
      }
    }
  }

  @Test
  @DisplayName("streams 45: after start-timeout there is an error, and the process stays")
  void initializeFailsClearlyAndMayBeTriedAgain() throws Exception {
    int port = freePort();
    try (BridgeProcess bridge = BridgeProcess.start(port, "--start-timeout", "2s")) {
      bridge.send(BridgeProcess.INITIALIZE);
      JsonObject error = bridge.next().getJsonObject("error");
      assertEquals("backend_unavailable", error.getJsonObject("data").getString("reason"));
      assertTrue(error.getString("message").contains("connection refused"), error::encode);
      try (TestGateway gateway = gateway(port, new ScriptedBackend("scripted"))) {
        bridge.handshake();
        assertEquals(1, gateway.holdings().sessions());
      }
    }
  }

  @Test
  @DisplayName("streams 40, 42: a killed server costs the calls in flight a word, nothing else")
  void restartIsSaidAndHealed() throws Exception {
    try (FatJar first = FatJar.start(directory, "--port", "0")) {
      int port = first.url().getPort();
      try (BridgeProcess bridge = BridgeProcess.ready(port, "--probe-interval", "200ms")) {
        bridge.send(tool(1, "wait", "{\"ms\":60000,\"ticks\":600}"));
        bridge.next(message -> "notifications/progress".equals(message.getString("method")));
        first.kill();
        first.exitCode();
        JsonObject lost = bridge.answer(1).getJsonObject("result");
        assertTrue(lost.getBoolean("isError"));
        assertFalse(lost.containsKey("structuredContent"));
        JsonObject outcome = lost.getJsonObject("_meta").getJsonObject("io.fairlead/outcome");
        assertEquals("unknown", outcome.getString("state"));
        assertEquals(false, outcome.getBoolean("retryable"));
        bridge.send(tool(2, "echo", "{\"text\":\"nobody there\"}"));
        outcome =
            bridge
                .answer(2)
                .getJsonObject("result")
                .getJsonObject("_meta")
                .getJsonObject("io.fairlead/outcome");
        assertEquals("not_dispatched", outcome.getString("state"));
        assertEquals(true, outcome.getBoolean("retryable"));
        try (FatJar second = FatJar.start(directory, "--port", "" + port)) {
          second.ready();
          bridge.next(m -> "notifications/tools/list_changed".equals(m.getString("method")));
          bridge.send(tool(3, "echo", "{\"text\":\"new run\"}"));
          assertTrue(bridge.answer(3).encode().contains("new run"));
        }
      }
    }
  }

  private static String tool(int id, String name, String arguments) {
    return McpSession.request(
        "" + id,
        "tools/call",
        "{\"name\":\""
            + name
            + "\",\"arguments\":"
            + arguments
            + ",\"_meta\":{\"progressToken\":\"p\"}}");
  }
}
