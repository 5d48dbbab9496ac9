package io.fairlead.gateway.backend;

import io.fairlead.gateway.auth.Principal;
import io.fairlead.wire.Envelope;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One session's view of a child, which may be shared with others.
 *
 * <p>Thread: owner loop. Owner: the session that opened it.
 */
final class StdioLink implements Link {
  private final StdioChild child;
  private final Context owner;
  private final LinkListener listener;
  private final Set<StdioCall> calls = new LinkedHashSet<>();
  private Optional<byte[]> initializeResult = Optional.empty();
  private boolean ended;
  private Future<Void> closed;

  StdioLink(StdioChild child, Context owner, LinkListener listener) {
    this.child = child;
    this.owner = owner;
    this.listener = listener;
  }

  StdioLink opened(byte[] result) {
    initializeResult = Optional.of(result);
    return this;
  }

  @Override
  public byte[] initializeResult() {
    return initializeResult.orElseThrow();
  }

  @Override
  public Dispatched call(Envelope request, Principal asker, CallListener callListener) {
    StdioCall call = new StdioCall(this, child, callListener);
    calls.add(call);
    boolean gone = ended || !child.isUsable();
    if (!gone && child.keepsFromChild(this, request)) {
      owner.runOnContext(ignored -> call.answeredEmpty(request));
    } else if (gone || !call.dispatch(request, asker)) {
      // in a later turn: the caller does not hold the call yet
      owner.runOnContext(ignored -> call.refused(gone));
    }
    return call;
  }

  void finished(StdioCall call) {
    calls.remove(call);
  }

  @Override
  public void notify(byte[] notification) {
    if (!ended) {
      child.write(notification);
    }
  }

  @Override
  public void answer(byte[] response) {
    if (!ended) {
      child.answer(response, this);
    }
  }

  /** What the child says outside of any call. */
  void message(Envelope message) {
    if (!ended) {
      listener.message(message);
    }
  }

  /** The child is gone; its calls have been told. */
  void ended(String text) {
    if (!ended) {
      ended = true;
      initializeResult.ifPresent(opened -> listener.closed(text));
    }
  }

  @Override
  public Future<Void> close() {
    if (closed == null) {
      List.copyOf(calls).forEach(call -> call.cancel("the session was closed"));
      ended = true;
      closed = child.detach(this);
    }
    return closed;
  }
}
