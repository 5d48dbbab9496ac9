package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bridge with the heap of docs/bridge.md, in front of a server whose answers are large. */
class BridgeMemoryIT {
  private static final int MIB = 1 << 20;

  @Test
  void answerThatTheHeapCannotTakeEndsItsCallAlone() throws Exception {
    try (StubServer server = StubServer.plain();
        BridgeProcess bridge = BridgeProcess.ready(server.port())) {
      server.answersWith(32 * MIB);
      bridge.send(McpSession.call("1"));
      JsonObject lost = bridge.answer(1).getJsonObject("result");
      assertEquals(true, lost.getBoolean("isError"), lost::encode);
      assertTrue(lost.encode().contains("\"reason\":\"too_large\""), lost::encode);
      bridge.send("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
      assertEquals(new JsonObject(), bridge.answer(2).getJsonObject("result"));
      assertFalse(bridge.log().contains("OutOfMemoryError"), bridge::log);
    }
  }

  @Test
  void largeAnswersOfFourCallsAtOnceArriveWhole() throws Exception {
    // what a collector keeps for itself is no heap, so a sixteenth is a little less than 4 MiB
    int size = 7 * MIB / 2;
    try (StubServer server = StubServer.plain();
        BridgeProcess bridge = BridgeProcess.ready(server.port())) {
      server.answersWith(size);
      List<Object> ids = new ArrayList<>(List.of(1, 2, 3, 4));
      for (Object id : ids) {
        bridge.send(McpSession.call(id.toString()));
      }
      while (!ids.isEmpty()) {
        JsonObject answer = bridge.next();
        assertEquals(size, answer.getJsonObject("result").getString("text", "").length());
        assertTrue(ids.remove(answer.getValue("id")));
      }
      assertFalse(bridge.log().contains("OutOfMemoryError"), bridge::log);
    }
  }

  /** A client learns of a server that has ended, and of nothing else. */
  @Test
  void processEndsWhenItHasNoMemoryForWhatItWasToldToTake() throws Exception {
    try (StubServer server = StubServer.plain();
        BridgeProcess bridge = BridgeProcess.ready(server.port(), "--max-message=64MiB")) {
      server.answersWith(48 * MIB);
      bridge.send(McpSession.call("1"));
      assertEquals(1, bridge.exitCode(20));
      assertTrue(bridge.log().contains("OutOfMemoryError"), bridge::log);
    }
  }
}
