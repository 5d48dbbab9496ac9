package io.fairlead.gateway.backend;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * How far a child is with its life. It is over when its output has ended and the process has
 * exited, or one of both has and the other lags; whichever comes first has the rest stopped.
 *
 * <pre>
 * started ─► output ended, exited (either first) ─► ended, told once ─► stopped: it and its tree are gone
 *    └─────► input broken, closed ─► being stopped ─┘
 * </pre>
 *
 * <p>Thread: owner loop. Owner: {@link ChildProcess}, whose threads learn all this and hop here.
 */
final class ChildLife {
  private static final Duration GRACE = Duration.ofMillis(500);

  private final Vertx vertx;
  private final Consumer<String> whenEnded;
  private final Consumer<Process> stopper;
  private final Promise<Void> stopped = Promise.promise();
  private Process process;
  private boolean closing;
  private boolean stopping;
  private boolean outputEnded;
  private boolean exited;
  private boolean deaf;
  private boolean ended;
  private long graceTimer = -1;

  /**
   * @param whenEnded told why, once, unless the child was closed before
   * @param stopper begins to stop a process, once; {@link #stopped} is its answer
   */
  ChildLife(Vertx vertx, Consumer<String> whenEnded, Consumer<Process> stopper) {
    this.vertx = vertx;
    this.whenEnded = whenEnded;
    this.stopper = stopper;
  }

  void started(Process started) {
    process = started;
    if (closing) {
      stop();
    }
  }

  void startFailed(String text) {
    end(text);
    stopped.tryComplete();
  }

  /** Whether what is written may still reach the child. */
  boolean takesInput() {
    return isHeard() && !deaf;
  }

  /** Whether more may come from the child. */
  boolean speaks() {
    return isHeard() && !exited;
  }

  /** Whether anybody cares for what the child says. */
  boolean isHeard() {
    return !ended && !closing;
  }

  /** A child that takes no input any more can get no call, even if it lives on. */
  void inputBroken() {
    deaf = true;
    stop();
  }

  void outputEnded() {
    outputEnded = true;
    finish("its output ended");
  }

  void exited(int code) {
    exited = true;
    finish(exitText(code));
  }

  void stopped() {
    stopped.tryComplete();
  }

  /** Has the child stopped, of which nothing more is told. Idempotent. */
  Future<Void> close() {
    closing = true;
    stop();
    return gone();
  }

  /** Completes when the child and all that it started are gone, whoever ended it. */
  Future<Void> gone() {
    return stopped.future();
  }

  /** The end is told when both output and process ended, or one did and the other lags. */
  private void finish(String text) {
    deaf = true;
    stop();
    if (outputEnded && exited) {
      end(exitText(process.exitValue()));
    } else {
      graceTimer = vertx.setTimer(GRACE.toMillis(), timer -> end(text));
    }
  }

  private void end(String text) {
    vertx.cancelTimer(graceTimer);
    if (!ended) {
      ended = true;
      if (!closing) {
        whenEnded.accept(text);
      }
    }
  }

  private void stop() {
    if (process != null && !stopping) {
      stopping = true;
      stopper.accept(process);
    }
  }

  private static String exitText(int code) {
    return code > 128 ? "it was ended by signal " + (code - 128) : "it exited with code=" + code;
  }
}
