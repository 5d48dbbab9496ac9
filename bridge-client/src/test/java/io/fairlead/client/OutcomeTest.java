package io.fairlead.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fairlead.client.Outcome.State;
import io.fairlead.wire.RpcId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** streams 39: how an unknown outcome is said. */
class OutcomeTest {

  private static String text(State state, String method) {
    Outcome outcome = new Outcome(state, "backend_lost", "Check \"it\" first.");
    return new String(outcome.toMessage(RpcId.of("a"), method, "i1"), UTF_8);
  }

  @Test
  @DisplayName("a tool call gets a result that is an error, with a text and the state in _meta")
  void toolCallGetsAResult() {
    assertEquals(
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{\"content\":[{\"type\":\"text\","
            + "\"text\":\"Check \\\"it\\\" first.\"}],\"isError\":true,"
            + "\"_meta\":{\"io.fairlead/outcome\":{\"state\":\"unknown\","
            + "\"reason\":\"backend_lost\",\"retryable\":false,\"instance\":\"i1\"}}}}",
        text(State.UNKNOWN, "tools/call"));
  }

  @Test
  @DisplayName("another method gets an error with the same object as data")
  void otherMethodGetsAnError() {
    assertEquals(
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"error\":{\"code\":-32603,"
            + "\"message\":\"Check \\\"it\\\" first.\",\"data\":{"
            + "\"state\":\"completed_result_evicted\",\"reason\":\"backend_lost\","
            + "\"retryable\":false,\"instance\":\"i1\"}}}",
        text(State.COMPLETED_RESULT_EVICTED, "prompts/get"));
  }

  @Test
  @DisplayName("only what was certainly not dispatched is retryable")
  void notDispatchedIsRetryable() {
    for (String method : new String[] {"tools/call", "tools/list"}) {
      String text = text(State.NOT_DISPATCHED, method);
      assertEquals(1, text.split("\"state\":\"not_dispatched\"", -1).length - 1, text);
      assertEquals(1, text.split("\"retryable\":true", -1).length - 1, text);
    }
  }
}
