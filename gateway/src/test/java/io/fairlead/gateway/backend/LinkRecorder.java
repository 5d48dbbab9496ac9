package io.fairlead.gateway.backend;

import io.fairlead.wire.Envelope;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Keeps what a link's listener was told, as {@code message ...} and {@code closed ...}.
 *
 * <p>Thread: written on the owner loop, read by the test.
 */
final class LinkRecorder implements LinkListener {
  private final LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();

  @Override
  public void message(Envelope message) {
    told.add("message " + Messages.text(message));
  }

  @Override
  public void closed(String reason) {
    told.add("closed " + reason);
  }

  String take() {
    try {
      String next = told.poll(OwnerLoop.BOUND.toMillis(), TimeUnit.MILLISECONDS);
      if (next == null) {
        throw new AssertionError("nothing was told within " + OwnerLoop.BOUND);
      }
      return next;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  List<String> takeAll() {
    List<String> all = new ArrayList<>();
    told.drainTo(all);
    return all;
  }
}
