package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When the bridge lets a server speak that says something of its own. */
class BridgeListenIT {
  private static JsonObject note(int number, int size) {
    JsonObject params = new JsonObject().put("n", number).put("data", "x".repeat(size));
    return new JsonObject()
        .put("jsonrpc", "2.0")
        .put("method", "notifications/message")
        .put("params", params);
  }

  private static JsonObject question() {
    return new JsonObject().put("jsonrpc", "2.0").put("id", "q").put("method", "roots/list");
  }

  private static void untilListened(StubServer server) {
    TestGateway.until("it listens", () -> server.asked("GET", "").size() == 1);
  }

  @Test
  @DisplayName("streams 45: nothing goes to the server before it has accepted initialized")
  void nothingIsSentBeforeInitializedWasDelivered() throws Exception {
    try (StubServer server = StubServer.plain();
        BridgeProcess bridge = BridgeProcess.start(server.port())) {
      server.holdConfirmation();
      bridge.send(BridgeProcess.INITIALIZE);
      TestGateway.until(
          "initialized arrived",
          () -> server.asked("POST", "notifications/initialized").size() > 0);
      bridge.send(McpSession.call("1"));
      bridge.send(McpSession.request("2", "ping", "{}"));
      assertEquals(2, bridge.next().getValue("id"));
      assertEquals(2, server.asked().size(), server.asked()::toString);
      assertTrue(bridge.isQuiet());
      server.confirm();
      bridge.initialized();
      bridge.next(message -> "notifications/x".equals(message.getString("method")));
      assertEquals(1, server.asked("POST", "tools/call").size());
    }
  }

  @Test
  @DisplayName("streams 45: what the server says waits until the client has said initialized")
  void serverIsHeardWhenClientIsInitialized() throws Exception {
    try (StubServer server = StubServer.plain();
        BridgeProcess bridge = BridgeProcess.start(server.port())) {
      server.says(List.of(question(), note(1, 10)));
      bridge.send(BridgeProcess.INITIALIZE);
      bridge.initialized();
      untilListened(server);
      for (int id = 1; id <= 5; id++) {
        bridge.send(McpSession.request("" + id, "ping", "{}"));
        assertEquals(id, bridge.next().getValue("id"));
      }
      assertTrue(bridge.isQuiet());
      bridge.send(BridgeProcess.INITIALIZED);
      assertEquals(question(), bridge.next());
      assertEquals(note(1, 10), bridge.next());
    }
  }

  @Test
  @DisplayName(
      "a client that reads slowly holds up the server, in bounded memory, and loses nothing")
  void nothingIsLostWhenClientReadsSlowly() throws Exception {
    int count = 1000;
    int size = 20_000;
    try (StubServer server = StubServer.plain();
        BridgeProcess bridge = BridgeProcess.start(server.port())) {
      server.says(IntStream.range(0, count).mapToObj(number -> note(number, size)).toList());
      bridge.send(BridgeProcess.INITIALIZE);
      bridge.initialized();
      bridge.stopReading();
      // who calls is ready, whether or not it has said so
      bridge.send(McpSession.request("1", "tools/list", "{}"));
      untilListened(server);
      // what has been answered by then has passed the bridge, behind which the pipe is full
      for (int id = 0; id < 20; id++) {
        bridge.send(McpSession.request("\"p" + id + "\"", "ping", "{}"));
        int asked = id + 1;
        TestGateway.until("pinged", () -> server.asked("POST", "ping").size() >= asked);
      }
      bridge.readOn();
      for (int number = 0; number < count; number++) {
        JsonObject message = bridge.next(next -> next.containsKey("method"));
        assertEquals(number, message.getJsonObject("params").getInteger("n"));
      }
    }
  }
}
