package io.fairlead.client;

import io.fairlead.wire.Envelope;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One call, from handed over to answered: sent at most once. The state says whether the first byte
 * may have left; from then on only a proof that nothing ran, refreshed credentials, or a method
 * that only reads allow one more POST.
 *
 * <pre>
 * QUEUED ─► CONNECTING ─► WRITING ─► ACCEPTED ─► STREAMING ─► DONE
 *    ▲          │            │           │           │
 *    └──────────┴────────────┴───────────┴───────────┘  each reason for one more POST, once
 * </pre>
 *
 * <p>Thread: owner loop. Owner: {@link HttpLink}.
 */
public final class Dispatch {
  /** How far a call has come. */
  public enum State {
    /** Waits for a proven session. */
    QUEUED,
    /** Waits for its connection; not one byte has left. */
    CONNECTING,
    /** Bytes may have left. */
    WRITING,
    /** All bytes were handed to the network. */
    ACCEPTED,
    /** The answer has begun. */
    STREAMING,
    /** Answered, lost or cancelled. */
    DONE
  }

  private final HttpTransport transport;
  private final Conversation conversation;
  private final DispatchListener listener;
  private final Consumer<Dispatch> whenDone;
  private final Set<Attempt.Chance> chances = EnumSet.allOf(Attempt.Chance.class);
  private CallRequest request;
  private State state = State.QUEUED;
  private Optional<Attempt> attempt = Optional.empty();
  private boolean paused;

  Dispatch(
      HttpTransport transport,
      Conversation conversation,
      CallRequest request,
      DispatchListener listener,
      Consumer<Dispatch> whenDone) {
    this.transport = transport;
    this.conversation = conversation;
    this.request = request;
    this.listener = listener;
    this.whenDone = whenDone;
  }

  public State state() {
    return state;
  }

  /** Begins in a later turn, so that the caller has this object before anything is told. */
  void start() {
    transport.vertx().runOnContext(v -> queue());
  }

  private void queue() {
    if (state == State.DONE) {
      return;
    }
    endAttempt();
    state = State.QUEUED;
    conversation.ready().onComplete(this::send);
  }

  private void send(AsyncResult<Session> ready) {
    if (state != State.QUEUED) {
      return;
    }
    if (ready.failed()) {
      boolean known = ready.cause() instanceof LinkFailure;
      String reason = known ? ((LinkFailure) ready.cause()).reason() : "backend_unavailable";
      lost(Outcome.notDispatched(reason, ready.cause().getMessage()));
      return;
    }
    state = State.CONNECTING;
    Attempt next =
        new Attempt(transport, conversation, ready.result(), request, chances, new Events());
    attempt = Optional.of(next);
    if (paused) {
      next.pause();
    }
    next.start();
  }

  private void answer(Envelope message) {
    if (finish()) {
      listener.answer(Answers.withId(request.id(), message, transport.reader()));
    }
  }

  private void lost(Outcome outcome) {
    if (finish()) {
      listener.lost(outcome);
    }
  }

  /** The one way out; false if the call had ended before. */
  private boolean finish() {
    if (state == State.DONE) {
      return false;
    }
    state = State.DONE;
    endAttempt();
    whenDone.accept(this);
    return true;
  }

  private void endAttempt() {
    attempt.ifPresent(Attempt::close);
    attempt = Optional.empty();
  }

  /** Streams of {@code known} cannot be resumed any more. */
  void sessionLost(Session known, String what) {
    attempt.ifPresent(open -> open.sessionLost(known, what));
  }

  /** The run of the server to which the call was sent is gone. */
  void instanceLost(Session known, String what) {
    if (isSent()) {
      attempt.filter(sent -> sent.session() == known).ifPresent(sent -> sent.instanceLost(what));
    }
  }

  /** The link is gone for good: no answer can come. */
  void linkLost(String what) {
    lost(
        isSent()
            ? Outcome.unknown("backend_lost", what)
            : Outcome.notDispatched("backend_unavailable", what));
  }

  private boolean isSent() {
    return state != State.QUEUED && state != State.CONNECTING && state != State.DONE;
  }

  /**
   * Ends the call without a terminal call to its listener, and tells the server if it may know of
   * the call: at once, also while the stream waits to be resumed. Idempotent.
   */
  public void cancel(String reason) {
    conversation.assertOwner();
    cancelled(reason);
  }

  /** Completes on the owner loop, in bounded time, when the server was told or cannot be. */
  Future<Void> cancelled(String reason) {
    Optional<Session> told = attempt.filter(sent -> isSent()).map(Attempt::session);
    if (!finish() || told.isEmpty()) {
      return Future.succeededFuture();
    }
    byte[] message = Notices.cancelled(request.id(), reason);
    Outgoing post = Outgoing.post(told.get(), request.headers(), message, false);
    return Roundtrip.send(transport, post, Optional.empty(), transport.timing().close())
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }

  /** Stops reading the call's stream; what is under way still arrives. */
  public void pause() {
    conversation.assertOwner();
    paused = true;
    attempt.ifPresent(Attempt::pause);
  }

  public void resume() {
    conversation.assertOwner();
    paused = false;
    attempt.ifPresent(Attempt::resume);
  }

  /** What becomes of an attempt. */
  private final class Events implements Attempt.Listener {
    @Override
    public void progressed(State now) {
      state = now;
    }

    @Override
    public void settled() {
      request = request.withoutMessage();
      listener.settled();
    }

    @Override
    public void message(Envelope message) {
      listener.message(message);
    }

    @Override
    public void polled(Duration delay) {
      listener.polled(delay);
    }

    @Override
    public void answer(Envelope response) {
      Dispatch.this.answer(response);
    }

    @Override
    public void lost(Outcome outcome) {
      Dispatch.this.lost(outcome);
    }

    @Override
    public void again() {
      queue();
    }
  }
}
