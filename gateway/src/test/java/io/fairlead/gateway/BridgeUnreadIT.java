package io.fairlead.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the bridge's client writes that cannot be read: whoever waits because of it is told. */
class BridgeUnreadIT {
  private final ScriptedBackend backend = new ScriptedBackend("scripted");
  private TestGateway gateway;

  @BeforeEach
  void start() throws Exception {
    gateway = TestGateway.start("", backend);
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  @Test
  @DisplayName("streams 45: a request that cannot be read gets its answer, under its own id")
  void requestThatCannotBeReadIsAnsweredUnderItsId() throws Exception {
    List<String> unreadable =
        List.of(
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"m\",\"params\":{\"a\":1,\"a\":2}}",
            "{\"method\":\"m\",\"params\":{\"a\":\"\u00ff\"},\"jsonrpc\":\"2.0\",\"id\":7}",
            "{\"method\":\"m\",\"params\":{\"a\":" + "1".repeat(2000) + "},\"id\":7}",
            "{\"params\":{\"a\":" + "[".repeat(2000) + "]".repeat(2000) + "},\"id\":7,\"x\":1}",
            "{\"params\":{\"a\":\"\\q\\\"}\"},\"id\":7,\"method\":\"m\"}");
    try (BridgeProcess bridge = BridgeProcess.ready(gateway.port())) {
      for (String line : unreadable) {
        bridge.sendRaw((line + "\n").getBytes(ISO_8859_1));
        JsonObject answer = bridge.next();
        assertEquals(7, answer.getValue("id"), answer::encode);
        assertEquals(-32700, answer.getJsonObject("error").getInteger("code"), answer::encode);
      }
      bridge.send("{\"jsonrpc\":\"2.0\",\"id\":\"\\ud83d\",\"method\":\"ping\"}");
      assertEquals("{\"jsonrpc\":\"2.0\",\"id\":\"\\ud83d\",\"result\":{}}", bridge.nextLine());
      assertTrue(bridge.isQuiet());
    }
  }

  @Test
  @DisplayName("an answer that cannot be read ends the server's question, and no call")
  void answerThatCannotBeReadEndsTheQuestionAlone() throws Exception {
    try (BridgeProcess bridge = BridgeProcess.ready(gateway.port())) {
      bridge.send(McpSession.call("1"));
      OpenCall call = backend.nextCall();
      for (String result : List.of("\"result\":{\"a\":1,\"a\":2}", "\"error\":{\"code\":\"x\"}")) {
        call.say("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"elicitation/create\",\"params\":{}}");
        Object id = bridge.next().getValue("id");
        bridge.send("{\"jsonrpc\":\"2.0\",\"id\":" + id + "," + result + "}");
        String answer = backend.answers.poll(10, TimeUnit.SECONDS);
        assertTrue(answer.contains("\"id\":5") && answer.contains("\"malformed\""), answer);
      }
      call.answer("done");
      assertTrue(bridge.nextLine().contains("done"));
      assertTrue(bridge.isQuiet());
    }
  }
}
