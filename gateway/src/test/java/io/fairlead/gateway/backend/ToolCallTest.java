package io.fairlead.gateway.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.auth.Principal;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What a tool of the application may do while it runs, and how it may fail. */
class ToolCallTest extends LocalBench {
  private static final JsonObject ANY = new JsonObject().put("type", "object");

  private Link with(ToolHandler handler) {
    return open(LocalBackend.named("app").tool("t", "", ANY, handler));
  }

  private CallRecorder run(ToolHandler handler) {
    return tool(with(handler), "t", new JsonObject());
  }

  private static Future<JsonObject> text(String text) {
    return Future.succeededFuture(ToolResult.text(text));
  }

  private static String saidFailure(JsonObject result) {
    assertEquals(true, result.getBoolean("isError"));
    return result.getJsonArray("content").getJsonObject(0).getString("text");
  }

  @Test
  void toolFailureIsShownToTheClient() {
    assertEquals("no such file", saidFailure(result(run(call -> fail("no such file")))));
    assertEquals(
        "thrown",
        saidFailure(
            result(
                run(
                    call -> {
                      throw new ToolFailure("thrown");
                    }))));
  }

  private static Future<JsonObject> fail(String text) {
    return Future.failedFuture(new ToolFailure(text));
  }

  @Test
  void otherFailuresShowNothingOfTheirText() {
    List<ToolHandler> handlers =
        List.of(
            call -> Future.failedFuture(new IllegalStateException("secret")),
            call -> {
              throw new IllegalStateException("secret");
            },
            call -> null,
            call -> Future.succeededFuture(null));
    for (ToolHandler handler : handlers) {
      assertEquals(
          "The tool failed. The log of the gateway says why.", saidFailure(result(run(handler))));
    }
  }

  @Test
  void resultThatIsNoMessageIsAnErrorAndNotSilence() {
    JsonObject deep = new JsonObject();
    for (int i = 0; i < 999; i++) {
      deep = new JsonObject().put("d", deep);
    }
    JsonObject tooDeep = deep;
    assertEquals(-32603, code(run(call -> Future.succeededFuture(tooDeep))));
  }

  @Test
  void principalIsThatOfTheRequest() {
    Link link = with(call -> text(call.principal().subject()));
    CallRecorder recorder = new CallRecorder();
    Principal other = new Principal("api-key", "k7", "");
    loop.run(() -> link.call(Messages.read(Messages.toolCall("1", "t", "{}")), other, recorder));
    assertEquals("k7", LinkContract.text(recorder.take()));
  }

  @Test
  void progressHasTotalAndText() {
    Link link =
        with(
            call -> {
              call.progress(0.5, OptionalDouble.of(100), "half");
              call.progress(2);
              return text("x");
            });
    CallRecorder recorder = new CallRecorder();
    call(link, Messages.toolCall("1", "t", "{}", "\"k\""), recorder);
    assertTrue(
        recorder
            .take()
            .endsWith(
                "{\"progressToken\":\"k\",\"progress\":0.5,\"total\":100,\"message\":\"half\"}}"));
    assertTrue(recorder.take().endsWith("{\"progressToken\":\"k\",\"progress\":2}}"));
  }

  @Test
  void whatIsSaidFromAnotherThreadArrivesInOrderOnTheLoop() {
    Link link =
        with(
            call -> {
              Promise<JsonObject> result = Promise.promise();
              new Thread(
                      () -> {
                        call.progress(1);
                        call.log("error", "", "said");
                        result.complete(ToolResult.text("done"));
                      })
                  .start();
              return result.future();
            });
    CallRecorder recorder = new CallRecorder();
    call(link, Messages.toolCall("1", "t", "{}", "1"), recorder);
    assertTrue(recorder.take().contains("notifications/progress"));
    assertTrue(recorder.take().contains("notifications/message"));
    assertEquals("done", LinkContract.text(recorder.take()));
  }

  @Test
  void logRespectsTheLevelOfTheLink() {
    Link link =
        with(
            call -> {
              call.log("debug", "me", "quiet");
              call.log("no such level", "me", "never");
              call.log("error", "me", new JsonObject().put("loud", true));
              return text("x");
            });
    result(call(link, "logging/setLevel", new JsonObject().put("level", "warning")));
    CallRecorder recorder = tool(link, "t", new JsonObject());
    assertEquals(
        "message {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":"
            + "{\"level\":\"error\",\"logger\":\"me\",\"data\":{\"loud\":true}}}",
        recorder.take());
    assertTrue(recorder.take().startsWith("answer "));
  }

  @Test
  void unknownLevelIsInvalidParams() {
    Link link = with(call -> text("x"));
    assertEquals(-32602, code(call(link, "logging/setLevel", new JsonObject().put("level", "x"))));
  }

  @Test
  void clientWithoutTheCapabilityIsNotAsked() {
    Link link =
        open(
            LocalBackend.named("app").tool("t", "", ANY, call -> call.sample(new JsonObject())),
            new JsonObject());
    String text = saidFailure(result(tool(link, "t", new JsonObject())));
    assertTrue(text.contains("capability sampling"), text);
  }

  @Test
  void refusalOfTheClientIsAToolFailure() {
    Link link = with(ToolCall::listRoots);
    CallRecorder recorder = tool(link, "t", new JsonObject());
    JsonObject asked = LinkContract.told("message", recorder.take());
    assertEquals("roots/list", asked.getString("method"));
    String refusal =
        "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-1,\"message\":\"not now\"}}";
    byte[] answer = String.format(refusal, asked.getValue("id")).getBytes(StandardCharsets.UTF_8);
    loop.run(() -> link.answer(answer));
    assertEquals("The client refused: not now", saidFailure(result(recorder)));
  }

  @Test
  void resultOfTheClientThatIsNoReadableObjectIsAToolFailure() {
    Map<String, String> failures = new LinkedHashMap<>();
    failures.put("5", "is no object, type=number");
    failures.put("null", "is no object, type=null");
    failures.put("\"secret\"", "is no object, type=string");
    failures.put("[]", "is no object, type=array");
    failures.put("false", "is no object, type=boolean");
    failures.put("{\"" + "n".repeat(60_000) + "\":1}", "is an object that cannot be read");
    failures.put("{\"d\":" + "[".repeat(997) + "]".repeat(997) + "}", "is deep");
    Link link = with(call -> call.elicit(new JsonObject()).map(form -> ToolResult.text("is deep")));
    failures.forEach(
        (result, failure) -> {
          String told = answered(link, result).encode();
          assertTrue(told.contains(failure), told);
          assertFalse(told.contains("secret"), told);
        });
  }

  /** The tool's result after its question was answered with {@code result}. */
  private JsonObject answered(Link link, String result) {
    CallRecorder recorder = tool(link, "t", new JsonObject());
    Object id = LinkContract.told("message", recorder.take()).getValue("id");
    String answer = "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}";
    loop.run(() -> link.answer(answer.getBytes(StandardCharsets.UTF_8)));
    return result(recorder);
  }

  @Test
  void questionEndsWithItsCall() {
    List<String> told = new ArrayList<>();
    Link link =
        with(
            call -> {
              call.onCancel(() -> told.add("cancel action"));
              return call.elicit(new JsonObject())
                  .onFailure(failure -> told.add(failure.getMessage()));
            });
    CallRecorder recorder = new CallRecorder();
    Link.Dispatched call = call(link, Messages.toolCall("1", "t", "{}"), recorder);
    recorder.take();
    loop.run(() -> call.cancel("enough"));
    assertEquals(
        List.of("The call has ended.", "cancel action"), loop.call(() -> List.copyOf(told)));
    assertEquals(List.of(), recorder.takeAll());
  }

  @Test
  void nothingIsSaidAfterTheCancel() {
    List<ToolCall> calls = new ArrayList<>();
    Link link =
        with(
            call -> {
              calls.add(call);
              return Promise.<JsonObject>promise().future();
            });
    CallRecorder recorder = new CallRecorder();
    Link.Dispatched dispatched = call(link, Messages.toolCall("1", "t", "{}", "1"), recorder);
    loop.until("the tool runs", () -> !calls.isEmpty());
    loop.run(
        () -> {
          assertFalse(calls.get(0).isCancelled());
          dispatched.cancel("enough");
          assertTrue(calls.get(0).isCancelled());
          calls.get(0).progress(1);
          calls.get(0).log("error", "", "x");
          calls.get(0).elicit(new JsonObject());
          calls.get(0).closeClientConnection(Duration.ofSeconds(1));
        });
    assertEquals(List.of(), recorder.takeAll());
  }

  @Test
  void cancelActionThatThrowsDoesNotStopTheOthers() {
    List<String> ran = new ArrayList<>();
    Link link =
        with(
            call -> {
              call.onCancel(
                  () -> {
                    throw new IllegalStateException("first");
                  });
              call.onCancel(() -> ran.add("second"));
              return Promise.<JsonObject>promise().future();
            });
    Link.Dispatched call = call(link, Messages.toolCall("1", "t", "{}"), new CallRecorder());
    loop.run(() -> {});
    loop.run(() -> call.cancel("enough"));
    assertEquals(List.of("second"), loop.call(() -> List.copyOf(ran)));
  }

  @Test
  void clientConnectionIsClosedOnRequest() {
    CallRecorder recorder =
        run(
            call -> {
              call.closeClientConnection(Duration.ofMillis(500));
              return text("later");
            });
    assertEquals("polled PT0.5S", recorder.take());
    assertEquals("later", LinkContract.text(recorder.take()));
  }
}
