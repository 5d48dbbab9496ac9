package io.fairlead.gateway.backend;

import io.fairlead.client.Dispatch;
import io.fairlead.client.DispatchListener;
import io.fairlead.client.Outcome;
import io.fairlead.wire.Envelope;
import java.time.Duration;

/**
 * One call on an HTTP backend: maps what the backend says back to the client's id and token.
 *
 * <p>Thread: owner loop. Owner: {@link HttpBackendLink}.
 */
final class HttpBackendCall implements DispatchListener, Link.Dispatched {
  private final Correlation correlation;
  private final OpenQuestions questions;
  private final Correlation.Pending pending;
  private final CallListener listener;
  private Dispatch dispatch;

  HttpBackendCall(
      Correlation correlation,
      OpenQuestions questions,
      Correlation.Pending pending,
      CallListener listener) {
    this.correlation = correlation;
    this.questions = questions;
    this.pending = pending;
    this.listener = listener;
  }

  HttpBackendCall dispatched(Dispatch handedOver) {
    dispatch = handedOver;
    return this;
  }

  @Override
  public void message(Envelope message) {
    if (!correlation.deliver(message)) {
      questions.asked(message);
      pending.message(message);
    }
  }

  @Override
  public void settled() {
    listener.settled();
  }

  @Override
  public void answer(Envelope response) {
    pending.answer(response);
  }

  @Override
  public void lost(Outcome outcome) {
    pending.lost(outcome);
  }

  @Override
  public void polled(Duration retry) {
    listener.polled(retry);
  }

  @Override
  public void cancel(String reason) {
    pending.cancel(reason);
    dispatch.cancel(reason);
  }

  @Override
  public void pause() {
    dispatch.pause();
  }

  @Override
  public void resume() {
    dispatch.resume();
  }
}
