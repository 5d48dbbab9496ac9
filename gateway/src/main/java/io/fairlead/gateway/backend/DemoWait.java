package io.fairlead.gateway.backend;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.OptionalDouble;

/**
 * One run of the demo's {@code wait}: a timer for each tick, stopped when the call is cancelled.
 *
 * <p>Thread: owner loop. Owner: the call.
 */
final class DemoWait {
  private static final long MAX_MILLIS = 3_600_000;
  private static final long MAX_TICKS = 10_000;

  private final ToolCall call;
  private final Vertx vertx;
  private final long millis;
  private final long ticks;
  private final Promise<JsonObject> result = Promise.promise();
  private final long start = System.nanoTime();
  private long ticked;
  private long timer;

  private DemoWait(ToolCall call, Vertx vertx, long millis, long ticks) {
    this.call = call;
    this.vertx = vertx;
    this.millis = millis;
    this.ticks = ticks;
  }

  static Future<JsonObject> call(ToolCall call) {
    long millis = DemoTools.number(call, "ms").longValue();
    long ticks =
        call.arguments().containsKey("ticks") ? DemoTools.number(call, "ticks").longValue() : 0;
    if (millis < 0 || millis > MAX_MILLIS || ticks < 0 || ticks > MAX_TICKS) {
      throw new ToolFailure("ms must be 0 to " + MAX_MILLIS + ", ticks 0 to " + MAX_TICKS);
    }
    DemoWait wait = new DemoWait(call, Vertx.currentContext().owner(), millis, ticks);
    call.onCancel(() -> wait.vertx.cancelTimer(wait.timer));
    wait.next();
    return wait.result.future();
  }

  /** Sets the timer of the next tick, or of the end if there are none. */
  private void next() {
    long at = ticks == 0 ? millis : millis * (ticked + 1) / ticks;
    long elapsed = (System.nanoTime() - start) / 1_000_000;
    timer = vertx.setTimer(Math.max(1, at - elapsed), fired -> tick());
  }

  private void tick() {
    if (ticked < ticks) {
      ticked++;
      call.progress(ticked, OptionalDouble.of(ticks), "tick " + ticked + " of " + ticks);
    }
    if (ticked < ticks) {
      next();
    } else {
      result.complete(ToolResult.text("waited " + millis + " ms"));
    }
  }
}
