package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An id means something in its own session alone. */
class ForeignReferencesIT extends GatewayBench {
  private static final String ANSWER = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"by\":\"%s\"}}";
  private static final String CANCEL =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":4}}";

  private McpSession session;
  private McpSession other;

  @BeforeEach
  void start() throws Exception {
    start(MEASURED);
    session = McpSession.open(gateway.port());
    other = McpSession.open(gateway.port());
  }

  /** Sends what is answered with 202, and waits until it has taken effect. */
  private void tell(McpSession from, String message) throws Exception {
    from.post(message).expect(202);
    gateway.holdings();
  }

  private void expectUnexpected(int responses) {
    String scrape = gateway.read(TestGateway::scrape);
    String line = "fairlead_unexpected_responses_total " + responses + ".0";
    assertTrue(scrape.contains(line), scrape);
  }

  @Test
  @DisplayName(
      "lifecycle 69: an answer to a question of another session, or a second one, is counted and"
          + " reaches nobody")
  void answersReachWhoAskedTheirOwnClient() throws Exception {
    McpSocket post = session.post(McpSession.call("4"));
    OpenCall call = backend.nextCall();
    String id = "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"roots/list\"}";
    backend.links.get(backend.links.size() - 1).say(id);
    assertTrue(post.message().data().contains("\"id\":1,"));
    tell(other, ANSWER.formatted("a stranger"));
    assertEquals(List.of(), List.copyOf(backend.answers));
    expectUnexpected(1);
    tell(session, ANSWER.formatted("who was asked"));
    String answer = backend.answers.remove();
    assertTrue(answer.contains("\"id\":\"q\"") && answer.contains("who was asked"), answer);
    tell(session, ANSWER.formatted("who was asked, again"));
    assertEquals(List.of(), List.copyOf(backend.answers));
    expectUnexpected(2);
    call.answer("unharmed");
    assertTrue(post.message().data().contains("unharmed"));
  }

  @Test
  @DisplayName("lifecycle 70: a cancel reaches the call of its own session alone, while it runs")
  void cancelsReachOnesOwnCalls() throws Exception {
    McpSocket post = session.post(McpSession.call("4"));
    OpenCall call = backend.nextCall();
    tell(other, CANCEL);
    assertTrue(call.cancelled.isEmpty());
    McpSocket same = other.post(McpSession.call("4"));
    OpenCall others = backend.nextCall();
    tell(other, CANCEL);
    assertEquals(1, others.cancelled.size());
    assertEquals(List.of(), same.rest());
    assertTrue(call.cancelled.isEmpty());
    call.answer("unharmed");
    assertTrue(post.message().data().contains("unharmed"));
    tell(session, CANCEL);
    assertTrue(call.cancelled.isEmpty());
    assertTrue(backend.isQuiet());
  }
}
