package io.fairlead.gateway.session;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;

/**
 * The event loop that owns sessions, calls, streams and the event store, and the timers on it.
 *
 * <p>Thread: owner loop, except {@link #execute}. Owner: the gateway verticle.
 */
public final class OwnerLoop {

  /** A timer that was started; cancelling it again, or after it fired, has no effect. */
  public interface Timer {
    Timer NONE = () -> {};

    void cancel();
  }

  private final Vertx vertx;
  private final Context context;
  private final Thread thread;
  private int timers;

  /** To be created on the loop that it stands for. */
  public OwnerLoop(Vertx vertx) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.thread = Thread.currentThread();
  }

  public Vertx vertx() {
    return vertx;
  }

  /** Whether the caller runs on the loop; for assertions. */
  public boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /** Runs {@code task} on the loop, in a later turn. Thread: any. */
  public void execute(Runnable task) {
    context.runOnContext(nothing -> task.run());
  }

  /** Runs {@code task} once after {@code delay}. */
  public Timer after(Duration delay, Runnable task) {
    return new Once(delay, task);
  }

  /** Runs {@code task} again and again until it is cancelled. */
  public Timer every(Duration period, Runnable task) {
    return new Periodic(period, task);
  }

  /** How many timers are running. */
  public int timers() {
    return timers;
  }

  private static long millis(Duration delay) {
    return Math.max(1, delay.toMillis());
  }

  private final class Once implements Timer {
    private final long id;
    private boolean running = true;

    Once(Duration delay, Runnable task) {
      timers++;
      id =
          vertx.setTimer(
              millis(delay),
              fired -> {
                stop();
                task.run();
              });
    }

    @Override
    public void cancel() {
      if (running) {
        stop();
        vertx.cancelTimer(id);
      }
    }

    private void stop() {
      running = false;
      timers--;
    }
  }

  private final class Periodic implements Timer {
    private final long id;
    private boolean running = true;

    Periodic(Duration period, Runnable task) {
      timers++;
      id = vertx.setPeriodic(millis(period), fired -> task.run());
    }

    @Override
    public void cancel() {
      if (running) {
        running = false;
        timers--;
        vertx.cancelTimer(id);
      }
    }
  }
}
