package io.fairlead.gateway.backend;

import io.fairlead.client.Outcome;
import io.fairlead.wire.Envelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Keeps what one call's listener was told, as {@code message ...}, {@code answer ...}, {@code lost
 * <state> <reason>} and {@code polled <duration>}, for a test thread to take.
 *
 * <p>Thread: written on the owner loop, read by the test.
 */
class CallRecorder implements CallListener {
  private static final Duration BOUND = OwnerLoop.BOUND;

  private final LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();

  @Override
  public void message(Envelope message) {
    told.add("message " + Messages.text(message));
  }

  @Override
  public void answer(Envelope response) {
    told.add("answer " + Messages.text(response));
  }

  @Override
  public void lost(Outcome outcome) {
    told.add("lost " + outcome.state() + " " + outcome.reason());
  }

  @Override
  public void polled(Duration retry) {
    told.add("polled " + retry);
  }

  /** The next thing that was told; waits for it. */
  String take() {
    try {
      String next = told.poll(BOUND.toMillis(), TimeUnit.MILLISECONDS);
      if (next == null) {
        throw new AssertionError("nothing was told within " + BOUND);
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
