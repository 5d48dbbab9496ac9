package io.fairlead.gateway.backend;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * An owner loop for tests: code of the gateway runs on it, the test's thread waits for it.
 *
 * <p>Thread: the test's.
 */
final class OwnerLoop implements AutoCloseable {
  static final Duration BOUND = Duration.ofSeconds(20);

  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();

  Context context() {
    return context;
  }

  Vertx vertx() {
    return vertx;
  }

  /** Runs code on the loop and gives what it returned. */
  <T> T call(Supplier<T> code) {
    return await(() -> Future.succeededFuture(code.get()));
  }

  void run(Runnable code) {
    call(
        () -> {
          code.run();
          return true;
        });
  }

  /** Runs code on the loop and gives what its future completed with; throws what it failed with. */
  <T> T await(Supplier<Future<T>> code) {
    Promise<T> done = Promise.promise();
    context.runOnContext(
        ignored -> {
          try {
            code.get().onComplete(done);
          } catch (RuntimeException | AssertionError e) {
            done.fail(e);
          }
        });
    return await(done.future());
  }

  static <T> T await(Future<T> future) {
    try {
      return future.await(BOUND.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("not completed within " + BOUND, e);
    }
  }

  /** Waits until {@code condition}, asked on the loop, holds. */
  void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + BOUND.toNanos();
    while (!call(condition::getAsBoolean)) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("not within " + BOUND + ": " + what);
      }
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    await(vertx.close());
  }
}
