package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.auth.Principal;
import io.fairlead.wire.Envelope;
import io.vertx.core.Context;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What every link does, whatever is behind it. The backend offers these tools: {@code echo {text}},
 * {@code progress {n}} (n times, of n), {@code hold} (never answers), {@code cancels} (how many
 * calls of hold were cancelled), {@code ask} (elicitation, answers with its content's {@code
 * answer}), {@code log} (a log message, then an answer), {@code changed} (says that the list of
 * tools changed).
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LinkContract {
  private static final String INITIALIZE_PARAMS =
      "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"elicitation\":{},\"sampling\":{},"
          + "\"roots\":{}},\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}";

  protected final OwnerLoop loop = new OwnerLoop();
  protected LinkRecorder linkListener;
  protected Backend backend;
  protected Link link;

  /** A backend with the tools above. */
  protected abstract Backend backend(Context owner);

  @BeforeEach
  void openLink() {
    linkListener = new LinkRecorder();
    backend = loop.call(() -> backend(loop.context()));
    link = open(linkListener);
  }

  @AfterEach
  void closeBackend() {
    loop.await(backend::close);
  }

  @AfterAll
  void closeLoop() {
    loop.close();
  }

  protected Link open(LinkListener listener) {
    LinkRequest request =
        new LinkRequest(INITIALIZE_PARAMS.getBytes(UTF_8), Principal.ANONYMOUS, listener);
    return loop.await(() -> backend.open(request));
  }

  protected Link.Dispatched call(String request, CallListener listener) {
    return loop.call(() -> link.call(Messages.read(request), Principal.ANONYMOUS, listener));
  }

  protected CallRecorder call(String request) {
    CallRecorder recorder = new CallRecorder();
    call(request, recorder);
    return recorder;
  }

  protected static JsonObject told(String kind, String told) {
    assertTrue(told.startsWith(kind + " "), told);
    return new JsonObject(told.substring(kind.length() + 1));
  }

  /** The text of a tool's answer. */
  protected static String text(String told) {
    return told("answer", told)
        .getJsonObject("result")
        .getJsonArray("content")
        .getJsonObject(0)
        .getString("text");
  }

  @Test
  void initializeResultIsTheBackends() {
    JsonObject result = new JsonObject(new String(link.initializeResult(), UTF_8));
    assertEquals("2025-11-25", result.getString("protocolVersion"));
    assertTrue(result.getJsonObject("capabilities").containsKey("tools"));
  }

  @Test
  void answerCarriesTheClientsOwnIdWhateverItIs() {
    for (String id :
        List.of("1", "\"1\"", "0", "\"\"", "-3", "9007199254740993", "\"\u00fc\\u00fc\\n\"")) {
      String answer = call(Messages.toolCall(id, "echo", "{\"text\":\"a\"}")).take();
      assertTrue(answer.contains("\"id\":" + id + ","), answer);
      assertEquals("a", text(answer));
    }
  }

  @Test
  void equalClientIdsGetEachTheirOwnAnswer() {
    CallRecorder first = call(Messages.toolCall("1", "echo", "{\"text\":\"first\"}"));
    CallRecorder second = call(Messages.toolCall("1", "echo", "{\"text\":\"second\"}"));
    assertEquals("first", text(first.take()));
    assertEquals("second", text(second.take()));
  }

  @Test
  void argumentsWithLineBreaksAndUnicodeArriveWhole() {
    String text = "\"tab\\t, \u00fc, \u65e5\u672c, \\ud83d\\ude80, \\u2028 end\"";
    String request =
        "{\n\"jsonrpc\":\"2.0\",\r\n\"id\":1,\"method\":\"tools/call\",\n\"params\":{"
            + "\"name\":\"echo\",\n\"arguments\":{\"text\":"
            + text
            + "\n}}}\n";
    assertEquals(
        "tab\t, \u00fc, \u65e5\u672c, \ud83d\ude80, \u2028 end", text(call(request).take()));
  }

  @Test
  void textThatWasCutInsideOfACharacterIsAnswered() {
    String answer = text(call(Messages.toolCall("1", "echo", "{\"text\":\"a\\ud83d\"}")).take());
    assertTrue(answer.startsWith("a") && answer.length() == 2, answer);
  }

  @Test
  void progressCarriesTheClientsOwnTokenWhateverItIs() {
    for (String token : List.of("7", "\"tok\"", "\"\"", "0", "\"7\"")) {
      CallRecorder recorder = call(Messages.toolCall("1", "progress", "{\"n\":3}", token));
      for (int i = 1; i <= 3; i++) {
        String told = recorder.take();
        assertTrue(told.contains("\"progressToken\":" + token + ","), told);
        assertEquals(
            i, told("message", told).getJsonObject("params").getNumber("progress").intValue());
      }
      assertTrue(recorder.take().startsWith("answer "));
    }
  }

  @Test
  void noProgressComesWhenTheClientSentNoToken() {
    CallRecorder recorder = call(Messages.toolCall("1", "progress", "{\"n\":3}"));
    assertTrue(recorder.take().startsWith("answer "));
  }

  @Test
  void listenerIsNotCalledBeforeCallReturned() {
    boolean[] returned = {false};
    boolean[] tooEarly = {false};
    CallRecorder recorder =
        new CallRecorder() {
          @Override
          public void answer(Envelope response) {
            tooEarly[0] = !returned[0];
            super.answer(response);
          }
        };
    loop.run(
        () -> {
          link.call(Messages.read(Messages.request("1", "ping")), Principal.ANONYMOUS, recorder);
          returned[0] = true;
        });
    recorder.take();
    assertFalse(loop.call(() -> tooEarly[0]));
  }

  @Test
  void listenerIsCalledOnTheOwnerLoop() {
    Set<Thread> threads = new HashSet<>();
    CallRecorder recorder =
        new CallRecorder() {
          @Override
          public void message(Envelope message) {
            threads.add(Thread.currentThread());
            super.message(message);
          }
        };
    call(Messages.toolCall("1", "progress", "{\"n\":1}", "1"), recorder);
    recorder.take();
    recorder.take();
    assertEquals(Set.of(loop.call(Thread::currentThread)), loop.call(() -> Set.copyOf(threads)));
  }

  @Test
  void cancelReachesTheBackendAndEndsTheCallSilently() {
    CallRecorder recorder = new CallRecorder();
    Link.Dispatched held = call(Messages.toolCall("\"c\"", "hold", "{}"), recorder);
    untilHeld();
    loop.run(() -> held.cancel("not wanted"));
    untilCancels("1");
    loop.run(() -> held.cancel("again"));
    assertEquals("1", cancels());
    assertEquals(List.of(), recorder.takeAll());
  }

  /** Waits until the backend has the call of hold: before, a cancel need not reach it. */
  protected void untilHeld() {}

  private String cancels() {
    return text(call(Messages.toolCall("1", "cancels", "{}")).take());
  }

  private void untilCancels(String count) {
    long end = System.nanoTime() + OwnerLoop.BOUND.toNanos();
    while (!cancels().equals(count)) {
      assertTrue(System.nanoTime() - end < 0, "cancelled calls stay at " + cancels());
    }
  }

  @Test
  void cancelHasNoEffectAfterTheAnswer() {
    CallRecorder recorder = new CallRecorder();
    Link.Dispatched call = call(Messages.toolCall("1", "echo", "{\"text\":\"a\"}"), recorder);
    recorder.take();
    loop.run(() -> call.cancel("late"));
    assertEquals("0", cancels());
    assertEquals(List.of(), recorder.takeAll());
  }

  @Test
  void otherCallsGoOnWhenOneIsCancelled() {
    Link.Dispatched held = call(Messages.toolCall("1", "hold", "{}"), new CallRecorder());
    CallRecorder other = call(Messages.toolCall("1", "progress", "{\"n\":2}", "1"));
    loop.run(() -> held.cancel("not wanted"));
    other.take();
    other.take();
    assertTrue(other.take().startsWith("answer "));
  }

  @Test
  void requestOfTheBackendIsAnsweredByTheClient() {
    CallRecorder recorder = call(Messages.toolCall("1", "ask", "{}"));
    JsonObject asked = told("message", recorder.take());
    assertEquals("elicitation/create", asked.getString("method"));
    JsonObject result =
        new JsonObject()
            .put("action", "accept")
            .put("content", new JsonObject().put("answer", "forty-two"));
    answer(asked, "result", result);
    assertEquals("forty-two", text(recorder.take()));
  }

  protected void answer(JsonObject asked, String member, JsonObject value) {
    JsonObject response =
        new JsonObject().put("jsonrpc", "2.0").put("id", asked.getValue("id")).put(member, value);
    loop.run(() -> link.answer(response.encode().getBytes(UTF_8)));
  }

  @Test
  void answerToARequestThatNobodySentIsIgnored() {
    answer(new JsonObject().put("id", 4711), "result", new JsonObject());
    answer(new JsonObject().put("id", "4711"), "result", new JsonObject());
    assertEquals("a", text(call(Messages.toolCall("1", "echo", "{\"text\":\"a\"}")).take()));
  }

  @Test
  void logMessageGoesToTheCallThatIsInFlight() {
    CallRecorder recorder = call(Messages.toolCall("1", "log", "{}"));
    assertEquals("notifications/message", told("message", recorder.take()).getString("method"));
    assertTrue(recorder.take().startsWith("answer "));
    assertEquals(List.of(), linkListener.takeAll());
  }

  @Test
  void changeOfAListGoesToTheLink() {
    CallRecorder recorder = call(Messages.toolCall("1", "changed", "{}"));
    assertEquals(
        "notifications/tools/list_changed",
        told("message", linkListener.take()).getString("method"));
    assertTrue(recorder.take().startsWith("answer "));
    assertEquals(List.of(), recorder.takeAll());
  }

  @Test
  void errorOfTheBackendIsTheAnswer() {
    JsonObject answer = told("answer", call(Messages.request("\"e\"", "no/such")).take());
    assertEquals("e", answer.getString("id"));
    assertEquals(-32601, answer.getJsonObject("error").getInteger("code"));
  }

  @Test
  void closeEndsCallsSilentlyAndIsIdempotent() {
    CallRecorder recorder = call(Messages.toolCall("1", "hold", "{}"));
    loop.await(() -> link.close());
    loop.await(() -> link.close());
    assertEquals(List.of(), recorder.takeAll());
    assertEquals(List.of(), linkListener.takeAll());
  }

  @Test
  void callAfterCloseIsNotDispatched() {
    loop.await(() -> link.close());
    CallRecorder recorder = call(Messages.toolCall("1", "echo", "{\"text\":\"a\"}"));
    assertEquals("lost " + Outcome.State.NOT_DISPATCHED + " backend_lost", recorder.take());
  }

  @Test
  void callThatWasRefusedAndCancelledAtOnceIsNotTold() {
    loop.await(() -> link.close());
    CallRecorder recorder = new CallRecorder();
    loop.run(
        () ->
            link.call(Messages.read(Messages.request("1", "ping")), Principal.ANONYMOUS, recorder)
                .cancel("never mind"));
    loop.run(() -> {});
    assertEquals(List.of(), recorder.takeAll());
  }

  @Test
  void closingTheBackendTellsTheOutcomeOfItsCalls() {
    CallRecorder recorder = call(Messages.toolCall("1", "hold", "{}"));
    loop.await(backend::close);
    assertEquals("lost UNKNOWN backend_lost", recorder.take());
    assertTrue(linkListener.take().startsWith("closed "));
    assertEquals(List.of(), recorder.takeAll());
  }

  @Test
  void closedBackendOpensNoLink() {
    loop.await(backend::close);
    LinkRequest request =
        new LinkRequest(INITIALIZE_PARAMS.getBytes(UTF_8), Principal.ANONYMOUS, linkListener);
    BackendFailure failure =
        assertThrows(BackendFailure.class, () -> loop.await(() -> backend.open(request)));
    assertEquals("backend_unavailable", failure.reason());
  }

  @Test
  void nameIsTheConfiguredOne() {
    assertEquals("tested", backend.name());
  }
}
