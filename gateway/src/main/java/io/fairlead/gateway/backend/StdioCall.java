package io.fairlead.gateway.backend;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.auth.Principal;
import io.fairlead.wire.Envelope;
import java.util.Optional;

/**
 * One call that was handed to a child, on behalf of one link.
 *
 * <p>Thread: owner loop. Owner: {@link StdioLink}.
 */
final class StdioCall implements CallListener, Link.Dispatched {
  private final StdioLink link;
  private final StdioChild child;
  private final CallListener listener;
  private Optional<Correlation.Pending> pending = Optional.empty();
  private boolean ended;
  private boolean paused;

  StdioCall(StdioLink link, StdioChild child, CallListener listener) {
    this.link = link;
    this.child = child;
    this.listener = listener;
  }

  /** Hands the request over; false if the child does not take it. */
  boolean dispatch(Envelope request, Principal asker) {
    pending = child.dispatch(link, request, asker, this);
    return pending.isPresent();
  }

  /** Answers a call that the child need not hear of, with an empty result. */
  void answeredEmpty(Envelope request) {
    answer(child.emptyResult(request.id().orElseThrow()));
  }

  /** Ends a call that was not handed over. */
  void refused(boolean gone) {
    lost(
        new Outcome(
            Outcome.State.NOT_DISPATCHED,
            gone ? "backend_lost" : "overloaded",
            gone
                ? "The tool server is not running. Nothing was done; try again."
                : "The tool server does not read its input. Nothing was done; try again later."));
  }

  @Override
  public void message(Envelope message) {
    if (!ended) {
      listener.message(message);
    }
  }

  @Override
  public void answer(Envelope response) {
    if (end()) {
      listener.answer(response);
    }
  }

  @Override
  public void lost(Outcome outcome) {
    if (end()) {
      listener.lost(outcome);
    }
  }

  @Override
  public void cancel(String reason) {
    if (end()) {
      pending.flatMap(call -> call.cancel(reason)).ifPresent(child::write);
    }
  }

  @Override
  public void pause() {
    if (!ended && !paused) {
      paused = true;
      child.pause();
    }
  }

  @Override
  public void resume() {
    if (paused) {
      paused = false;
      child.resume();
    }
  }

  /** The one way out of a call; false if it was taken before. */
  private boolean end() {
    if (ended) {
      return false;
    }
    ended = true;
    resume();
    link.finished(this);
    pending.ifPresent(child::finished);
    return true;
  }
}
