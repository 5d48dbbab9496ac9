package io.fairlead.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.wire.Envelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Keeps what a call's listener was told, for a test to take: {@code message ...}, {@code answer
 * ...}, {@code lost <state> <reason>}, {@code polled}.
 *
 * <p>Thread: written on the owner loop, read by the test.
 */
final class CallRecorder implements DispatchListener {
  private final LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
  private volatile Outcome outcome;
  private volatile boolean settled;
  private volatile boolean stumbles;

  /** It fails at the next message, once. */
  void stumble() {
    stumbles = true;
  }

  @Override
  public void message(Envelope message) {
    if (stumbles) {
      stumbles = false;
      throw new IllegalStateException("meant to fail");
    }
    told.add("message " + new String(message.bytes(), UTF_8));
  }

  @Override
  public void settled() {
    settled = true;
  }

  /** Whether the request's bytes are not held any more. */
  boolean isSettled() {
    return settled;
  }

  @Override
  public void answer(Envelope response) {
    told.add("answer " + new String(response.bytes(), UTF_8));
  }

  @Override
  public void lost(Outcome outcome) {
    this.outcome = outcome;
    told.add("lost " + outcome.state() + " " + outcome.reason());
  }

  @Override
  public void polled(Duration retry) {
    told.add("polled " + retry.toMillis());
  }

  Outcome outcome() {
    return outcome;
  }

  /** The next thing that was told; waits for it. */
  String take() {
    return take(Duration.ofSeconds(10));
  }

  String take(Duration bound) {
    try {
      String next = told.poll(bound.toMillis(), TimeUnit.MILLISECONDS);
      if (next == null) {
        throw new AssertionError("nothing was told within " + bound);
      }
      return next;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** All that was told and not taken; does not wait. */
  List<String> takeAll() {
    List<String> all = new ArrayList<>();
    told.drainTo(all);
    return all;
  }
}
