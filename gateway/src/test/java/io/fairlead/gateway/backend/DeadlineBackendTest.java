package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.config.CallTimeout;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** lifecycle 24: call-timeout. */
class DeadlineBackendTest extends LocalBench {
  private final List<String> cancelled = new ArrayList<>();
  private final List<ToolCall> calls = new ArrayList<>();
  private int ticks = 1;

  private Link open(Duration timeout) {
    return open(new CallTimeout(timeout, Optional.empty()));
  }

  private Link open(CallTimeout timeout) {
    cancelled.clear();
    calls.clear();
    JsonObject any = new JsonObject().put("type", "object");
    LocalBackend local =
        LocalBackend.named("app")
            .tool("echo", "", any, call -> Future.succeededFuture(ToolResult.text("x")))
            .tool(
                "hold",
                "",
                any,
                call -> {
                  call.onCancel(() -> cancelled.add("cancelled"));
                  call.progress(1);
                  calls.add(call);
                  return Promise.<JsonObject>promise().future();
                });
    Backend backend = new DeadlineBackend(local, loop.vertx(), timeout);
    return loop.await(
        () ->
            backend.open(new LinkRequest("{}".getBytes(UTF_8), Principal.ANONYMOUS, linkListener)));
  }

  @Test
  void callThatTakesTooLongIsCancelledAndToldAsUnknown() {
    Link link = open(Duration.ofMillis(50));
    CallRecorder recorder = new CallRecorder();
    call(link, Messages.toolCall("1", "hold", "{}", "1"), recorder);
    recorder.take();
    assertEquals("lost UNKNOWN call_timeout", recorder.take());
    assertEquals(List.of("cancelled"), loop.call(() -> List.copyOf(cancelled)));
  }

  @Test
  void answerInTimeStopsTheTimer() {
    Link link = open(Duration.ofMillis(100));
    CallRecorder recorder = tool(link, "echo", new JsonObject());
    assertEquals("x", LinkContract.text(recorder.take()));
    assertEquals("lost UNKNOWN call_timeout", tool(link, "hold", new JsonObject()).take());
    assertEquals(List.of(), recorder.takeAll());
  }

  @Test
  void cancelStopsTheTimer() {
    Link link = open(Duration.ofMillis(100));
    CallRecorder recorder = new CallRecorder();
    Link.Dispatched call = call(link, Messages.toolCall("1", "hold", "{}"), recorder);
    loop.run(() -> call.cancel("enough"));
    assertEquals("lost UNKNOWN call_timeout", tool(link, "hold", new JsonObject()).take());
    assertEquals(List.of(), recorder.takeAll());
  }

  @Test
  void closeStopsTheTimers() {
    Link link = open(Duration.ofMillis(100));
    CallRecorder recorder = tool(link, "hold", new JsonObject());
    loop.await(link::close);
    Link other = open(Duration.ofMillis(200));
    assertEquals("lost UNKNOWN call_timeout", tool(other, "hold", new JsonObject()).take());
    assertEquals(List.of(), recorder.takeAll());
  }

  @Test
  @DisplayName("lifecycle 24: progress restarts the timer where there is a maximum")
  void progressRestartsTheTimerUpToTheMaximum() {
    Duration silent = Duration.ofMillis(1_500);
    Duration max = Duration.ofMillis(3_500);
    Link link = open(new CallTimeout(silent, Optional.of(max)));
    CallRecorder recorder = new CallRecorder();
    long start = System.nanoTime();
    call(link, Messages.toolCall("1", "hold", "{}", "1"), recorder);
    long ticker =
        loop.call(() -> loop.vertx().setPeriodic(100, tick -> calls.get(0).progress(++ticks)));
    List<String> told = new ArrayList<>(List.of(recorder.take()));
    while (!told.get(told.size() - 1).startsWith("lost")) {
      told.add(recorder.take());
    }
    long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
    loop.run(() -> loop.vertx().cancelTimer(ticker));
    assertEquals("lost UNKNOWN call_timeout", told.get(told.size() - 1));
    assertTrue(millis > 2 * silent.toMillis(), "ms=" + millis);
    assertEquals(List.of("cancelled"), loop.call(() -> List.copyOf(cancelled)));
  }

  @Test
  @DisplayName(
      "lifecycle 24: without a maximum progress prolongs nothing, and silence ends it soon")
  void silenceEndsTheCallBeforeTheMaximum() {
    Link link = open(new CallTimeout(Duration.ofMillis(100), Optional.of(Duration.ofHours(1))));
    assertEquals("lost UNKNOWN call_timeout", tool(link, "hold", new JsonObject()).take());
    Link strict = open(Duration.ofMillis(300));
    CallRecorder recorder = new CallRecorder();
    call(strict, Messages.toolCall("1", "hold", "{}", "1"), recorder);
    long ticker =
        loop.call(() -> loop.vertx().setPeriodic(50, tick -> calls.get(0).progress(++ticks)));
    String last = recorder.take();
    for (int i = 0; i < 1_000 && !last.startsWith("lost"); i++) {
      last = recorder.take();
    }
    loop.run(() -> loop.vertx().cancelTimer(ticker));
    assertEquals("lost UNKNOWN call_timeout", last);
  }
}
