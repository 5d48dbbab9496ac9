package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.client.Outcome;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids and progress tokens towards a backend and back (lifecycle 68 to 71, streams 20). */
class CorrelationTest {
  private final Counted counted = new Counted();
  private final Correlation correlation = new Correlation(counted.metrics);
  private final CallRecorder listener = new CallRecorder();

  private Correlation.Pending begin(String request) {
    return correlation.begin(Messages.read(request), listener);
  }

  private static String sent(Correlation.Pending call) {
    return new String(call.takeRequest(), UTF_8);
  }

  private void deliver(String message) {
    assertTrue(correlation.deliver(Messages.read(message)));
  }

  @Test
  void requestKeepsEveryByteButIdAndToken() {
    Correlation.Pending call =
        begin(
            "{ \"method\":\"tools/call\", \"id\":\"x\",\"jsonrpc\":\"2.0\",\"params\":{\"n\":1.00,"
                + "\"_meta\":{\"progressToken\":\"t\",\"z\":[ ]},\"name\":\"a\"} }");
    assertEquals(
        "{ \"method\":\"tools/call\", \"id\":1,\"jsonrpc\":\"2.0\",\"params\":{\"n\":1.00,"
            + "\"_meta\":{\"progressToken\":1,\"z\":[ ]},\"name\":\"a\"} }",
        sent(call));
  }

  @Test
  void requestWithoutTokenGetsNone() {
    assertEquals(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
        sent(begin("{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"ping\"}")));
  }

  @Test
  void requestIsTakenOnce() {
    Correlation.Pending call = begin(Messages.request("1", "ping"));
    call.takeRequest();
    assertThrows(IllegalStateException.class, call::takeRequest);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1", "\"1\"", "0", "\"\"", "-3", "9007199254740993", "\"\u00fc\\u00fc\\n\""})
  void answerCarriesTheClientsOwnId(String id) {
    begin(Messages.request(id, "ping"));
    deliver("{\"result\":{\"a\": 1},\"id\":1,\"jsonrpc\":\"2.0\"}");
    assertEquals(
        List.of("answer {\"result\":{\"a\": 1},\"id\":" + id + ",\"jsonrpc\":\"2.0\"}"),
        listener.takeAll());
  }

  @Test
  void equalClientIdsGetEachTheirOwnAnswer() {
    CallRecorder second = new CallRecorder();
    begin(Messages.request("1", "ping"));
    correlation.begin(Messages.read(Messages.request("1", "ping")), second);
    deliver(Messages.result("2", "{\"to\":2}"));
    deliver(Messages.result("1", "{\"to\":1}"));
    assertEquals(List.of("answer " + Messages.result("1", "{\"to\":1}")), listener.takeAll());
    assertEquals(List.of("answer " + Messages.result("1", "{\"to\":2}")), second.takeAll());
  }

  @Test
  void errorAnswerIsMappedToo() {
    begin(Messages.request("\"a\"", "ping"));
    deliver("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-1,\"message\":\"m\"}}");
    assertEquals(
        List.of(
            "answer {\"jsonrpc\":\"2.0\",\"id\":\"a\",\"error\":{\"code\":-1,\"message\":\"m\"}}"),
        listener.takeAll());
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "\"1\"", "0", "\"\"", "-1"})
  void answerWithForeignIdIsCountedAndDropped(String id) {
    begin(Messages.request("1", "ping"));
    deliver(Messages.result(id, "{}"));
    assertEquals(List.of(), listener.takeAll());
    assertEquals(1, counted.of("answers_ignored"));
    assertEquals(1, correlation.size());
  }

  @Test
  void errorWithoutIdIsCountedAndDropped() {
    begin(Messages.request("1", "ping"));
    deliver("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"m\"}}");
    assertEquals(1, counted.of("answers_ignored"));
  }

  @Test
  void secondAnswerIsCountedAndDropped() {
    begin(Messages.request("1", "ping"));
    deliver(Messages.result("1", "{}"));
    deliver(Messages.result("1", "{}"));
    assertEquals(1, listener.takeAll().size());
    assertEquals(1, counted.of("answers_ignored"));
  }

  @Test
  void progressCarriesTheClientsOwnToken() {
    begin(Messages.withToken("9", "tools/call", "\"tok\""));
    deliver(Messages.progress("1", "0.50"));
    assertEquals(List.of("message " + Messages.progress("\"tok\"", "0.50")), listener.takeAll());
  }

  @Test
  void progressIsDroppedWhenTheClientSentNoToken() {
    begin(Messages.request("1", "ping"));
    deliver(Messages.progress("1", "1"));
    assertEquals(List.of(), listener.takeAll());
    assertEquals(1, counted.of("progress_dropped"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "\"1\"", "\"tok\""})
  void progressWithForeignTokenIsCountedAndDropped(String token) {
    begin(Messages.withToken("1", "tools/call", "\"tok\""));
    deliver(Messages.progress(token, "1"));
    assertEquals(List.of(), listener.takeAll());
    assertEquals(1, counted.of("progress_dropped"));
  }

  @Test
  void progressAfterTheAnswerIsCountedAndDropped() {
    begin(Messages.withToken("1", "tools/call", "1"));
    deliver(Messages.result("1", "{}"));
    deliver(Messages.progress("1", "1"));
    assertEquals(1, listener.takeAll().size());
    assertEquals(1, counted.of("progress_dropped"));
  }

  @Test
  void otherMessagesAreLeftAlone() {
    begin(Messages.request("1", "ping"));
    assertFalse(correlation.deliver(Messages.read(Messages.request("1", "roots/list"))));
    assertFalse(correlation.deliver(Messages.read(Messages.notification("notifications/message"))));
    assertEquals(List.of(), listener.takeAll());
  }

  @Test
  void cancelNamesTheIdThatTheBackendKnows() {
    begin(Messages.request("1", "ping"));
    Correlation.Pending call = begin(Messages.request("\"c\"", "tools/call"));
    assertEquals(
        Optional.of(
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":"
                + "{\"requestId\":2,\"reason\":\"no \\\"more\\\"\"}}"),
        call.cancel("no \"more\"").map(bytes -> new String(bytes, UTF_8)));
    deliver(Messages.result("2", "{}"));
    assertEquals(List.of(), listener.takeAll());
    assertEquals(1, counted.of("answers_ignored"));
  }

  @Test
  void cancelHasNoEffectAfterTheAnswer() {
    Correlation.Pending call = begin(Messages.request("1", "ping"));
    deliver(Messages.result("1", "{}"));
    assertEquals(Optional.empty(), call.cancel("late"));
    assertFalse(call.isOpen());
  }

  @Test
  void latestIsTheNewestCallInFlight() {
    Correlation.Pending first = begin(Messages.request("1", "ping"));
    Correlation.Pending second = begin(Messages.request("1", "ping"));
    assertEquals(Optional.of(second), correlation.latest());
    second.cancel("");
    assertEquals(Optional.of(first), correlation.latest());
    first.cancel("");
    assertEquals(Optional.empty(), correlation.latest());
    assertEquals(0, correlation.size());
  }

  @Test
  void loseAllEndsEveryCallOnce() {
    Correlation.Pending call = begin(Messages.request("1", "ping"));
    begin(Messages.request("2", "ping"));
    Outcome outcome = new Outcome(Outcome.State.UNKNOWN, "backend_lost", "gone");
    correlation.loseAll(outcome);
    correlation.loseAll(outcome);
    call.lost(outcome);
    assertEquals(
        List.of("lost UNKNOWN backend_lost", "lost UNKNOWN backend_lost"), listener.takeAll());
    assertEquals(0, correlation.size());
  }
}
