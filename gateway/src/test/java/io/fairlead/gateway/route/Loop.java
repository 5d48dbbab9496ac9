package io.fairlead.gateway.route;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** A Vert.x with one owner loop, driven from a test's thread. Thread: the test's. */
final class Loop implements AutoCloseable {
  private static final int BOUND_SECONDS = 10;

  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();

  Vertx vertx() {
    return vertx;
  }

  /** Runs the task on the loop and waits for its result. */
  <T> T call(Callable<T> task) {
    Promise<T> done = Promise.promise();
    context.runOnContext(
        ignored -> {
          try {
            done.complete(task.call());
          } catch (Exception | AssertionError e) {
            done.fail(e);
          }
        });
    return await(done.future());
  }

  void run(Runnable task) {
    call(
        () -> {
          task.run();
          return true;
        });
  }

  <T> T await(Future<T> future) {
    try {
      return future.await(BOUND_SECONDS, TimeUnit.SECONDS);
    } catch (java.util.concurrent.TimeoutException e) {
      throw new AssertionError("nothing happened in seconds=" + BOUND_SECONDS, e);
    }
  }

  @Override
  public void close() {
    await(vertx.close());
  }
}
