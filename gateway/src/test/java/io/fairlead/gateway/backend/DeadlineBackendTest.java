package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fairlead.gateway.auth.Principal;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** lifecycle 24: call-timeout. */
class DeadlineBackendTest extends LocalBench {
  private final List<String> cancelled = new ArrayList<>();

  private Link open(Duration timeout) {
    cancelled.clear();
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
}
