package io.fairlead.gateway.session;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.backend.CallListener;
import io.fairlead.gateway.backend.Link;
import io.fairlead.gateway.route.Route;
import io.fairlead.store.EventKind;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.RpcId;
import java.time.Duration;
import java.util.Optional;

/**
 * One client request in flight, from accepted to answered or cancelled. It is handed to a link at
 * most once, by {@link #dispatch}; its answer goes into its stream at most once.
 *
 * <p>Thread: owner loop. Owner: {@link Session}.
 */
final class Call implements CallListener, StreamSource {
  private final Session session;
  private final RpcId id;
  private final String method;
  private final RequestStream stream;
  private final boolean askable;
  private final HeldBytes.Hold bytes;
  private final long startedNanos = System.nanoTime();
  private String backend = "";

  /** What is to be handed over; let go then, or when the call ends before: it may be large. */
  private Optional<Route.Forward> waiting = Optional.empty();

  private Link link;
  private Link.Dispatched dispatched;
  private boolean done;

  /**
   * @param request of which only id and method are kept: it may be large
   * @param askable whether the client's connection can carry requests from the backend
   * @param bytes released when nobody holds the request any more
   */
  Call(
      Session session,
      Envelope request,
      RequestStream stream,
      boolean askable,
      HeldBytes.Hold bytes) {
    this.session = session;
    this.id = request.id().orElseThrow();
    this.method = request.method();
    this.bytes = bytes;
    this.stream = stream;
    this.askable = askable;
    stream.answers(request, this);
  }

  RpcId id() {
    return id;
  }

  String method() {
    return method;
  }

  RequestStream stream() {
    return stream;
  }

  boolean askable() {
    return askable;
  }

  /** The backend that runs it, or is to run it; empty before that is known. */
  String backend() {
    return backend;
  }

  long nanos() {
    return System.nanoTime() - startedNanos;
  }

  /** Says which backend is to run it, so that what that backend asks meanwhile finds its stream. */
  void destined(Route.Forward route) {
    backend = route.backend();
    waiting = Optional.of(route);
  }

  /** What it waits with for its link; given once, and empty if the call has ended meanwhile. */
  Optional<Route.Forward> takeWaiting() {
    Optional<Route.Forward> taken = waiting;
    waiting = Optional.empty();
    return taken;
  }

  /** Hands the request to a link: the one place where that happens, and it happens once. */
  void dispatch(Link target, Envelope outgoing, Principal asker) {
    if (done) {
      return;
    }
    if (dispatched != null) {
      throw new IllegalStateException("a call is dispatched at most once, method=" + method());
    }
    link = target;
    dispatched = target.call(outgoing, asker, this);
  }

  /** Stops it at its backend; its client is told what is known. */
  void abort(Outcome outcome) {
    if (!done && dispatched != null) {
      dispatched.cancel(outcome.reason());
    }
    lost(outcome);
  }

  /** Nobody waits for its backend any more. */
  boolean isDone() {
    return done;
  }

  /** Whether it was handed to a link. */
  boolean isDispatched() {
    return dispatched != null;
  }

  /** The gateway answers by itself. */
  void answerLocally(byte[] response) {
    finish(response, "local");
  }

  /** Stops it at its backend; its stream ends without an answer. */
  void cancel(String reason) {
    if (done) {
      return;
    }
    end();
    if (dispatched != null) {
      dispatched.cancel(reason);
    }
    stream.end();
    session.finished(this, "cancelled");
  }

  @Override
  public void message(Envelope message) {
    if (!done) {
      session.fromBackend(this, link, message);
    }
  }

  @Override
  public void answer(Envelope response) {
    finish(response.bytes(), response.kind() == Envelope.Kind.ERROR ? "error" : "answered");
  }

  @Override
  public void lost(Outcome outcome) {
    byte[] message = outcome.toMessage(id(), method(), session.instance());
    finish(message, outcome.state() == Outcome.State.UNKNOWN ? "unknown" : "not_dispatched");
  }

  @Override
  public void settled() {
    bytes.release();
  }

  @Override
  public void polled(Duration retry) {
    stream.poll(retry);
  }

  @Override
  public void pause() {
    if (dispatched != null) {
      dispatched.pause();
    }
  }

  @Override
  public void resume() {
    if (dispatched != null) {
      dispatched.resume();
    }
  }

  private void end() {
    done = true;
    waiting = Optional.empty();
    bytes.release();
  }

  private void finish(byte[] response, String outcome) {
    if (done) {
      return;
    }
    end();
    stream.append(EventKind.RESPONSE, response);
    stream.end();
    session.finished(this, outcome);
  }
}
