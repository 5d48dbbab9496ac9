package io.fairlead.client;

import io.fairlead.wire.Envelope;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.http.HttpClientResponse;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
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

  /** The reasons for one more POST, each good for once. */
  private enum Chance {
    UNSENT,
    PROOF,
    CREDENTIALS,
    READ
  }

  private final HttpTransport transport;
  private final Conversation conversation;
  private final DispatchListener listener;
  private final Consumer<Dispatch> whenDone;
  private final Set<Chance> chances = EnumSet.allOf(Chance.class);
  private CallRequest request;
  private State state = State.QUEUED;
  private Session session = Session.NONE;
  private Optional<CallNumber> number = Optional.empty();
  private Optional<CallPost> post = Optional.empty();
  private Optional<CallStream> stream = Optional.empty();
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
    endSources();
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
      notDispatched(reason, ready.cause().getMessage());
      return;
    }
    state = State.CONNECTING;
    session = ready.result();
    number = request.reads() ? Optional.empty() : session.nextCall();
    CallPost once = new CallPost(transport, request, new Post());
    post = Optional.of(once);
    once.start(session, number, request.reads() && chances.contains(Chance.READ));
  }

  private void unsent(Throwable cause) {
    if (cause instanceof ConnectionPoolTooBusyException) {
      int max = transport.options().maxConnections();
      notDispatched("overloaded", "Too many connections to the backend: max=" + max + ".");
    } else if (chances.remove(Chance.UNSENT)) {
      conversation.doubt();
      queue();
    } else {
      conversation.doubt();
      notDispatched(
          "backend_unavailable", "The backend cannot be reached (" + Causes.describe(cause) + ").");
    }
  }

  /** The connection broke after the first byte may have left, before a cursor was known. */
  private void cut(Throwable cause) {
    conversation.doubt();
    if (cause instanceof TooLarge) {
      unknown("too_large", "The answer is too large: " + cause.getMessage() + ".");
    } else {
      findOut("The connection to the backend was lost before the answer came.");
    }
  }

  /** Nobody knows yet what became of the POST: a Fairlead can be asked by the call's number. */
  private void findOut(String what) {
    if (number.isPresent()) {
      openStream().open();
    } else {
      readAgainOr(Outcome.unknown("backend_lost", what));
    }
  }

  private CallStream openStream() {
    endSources();
    if (!request.reads()) {
      request = request.withoutMessage();
    }
    CallStream answer =
        new CallStream(
            transport,
            conversation,
            session,
            request.id(),
            request.headers(),
            number,
            new Stream());
    stream = Optional.of(answer);
    if (paused) {
      answer.pause();
    }
    return answer;
  }

  private void readAgainOr(Outcome outcome) {
    if (request.reads() && chances.remove(Chance.READ)) {
      queue();
    } else {
      lost(outcome);
    }
  }

  private void refused(Refusal refusal) {
    String status = "status=" + refusal.status() + ".";
    if (refusal.isUnauthorized()) {
      unauthorized(refusal);
    } else if (number.isPresent() && !refusal.whole()) {
      findOut("The refusal was cut: " + status);
    } else if (refusal.provesNotDispatched()) {
      conversation.renew(session);
      if (chances.remove(Chance.PROOF)) {
        queue();
      } else {
        notDispatched("session_unknown", "The backend refuses the session: " + status);
      }
    } else if (refusal.isSessionUnknown()) {
      conversation.prove(System.nanoTime());
      findOut("The backend does not know the session any more: " + status);
    } else if (number.isPresent() && refusal.says("fenced")) {
      notDispatched("fenced", "The backend refused the call's number.");
    } else if (number.isPresent() && refusal.says("duplicate_call")) {
      // something on the way has sent our one POST twice
      findOut("The call arrived twice.");
    } else if (refusal.isDefinite() || refusal.answers(request.id())) {
      if (refusal.status() == 400) {
        conversation.doubt();
      }
      answer(refusal.error().orElseGet(() -> error("The backend refused the request: " + status)));
    } else {
      findOut("The backend failed: " + status);
    }
  }

  /** Sends once more if the credentials have changed meanwhile. */
  private void unauthorized(Refusal refusal) {
    if (refusal.status() != 401 || !chances.remove(Chance.CREDENTIALS)) {
      answer(error("The backend refused our credentials."));
      return;
    }
    Map<String, String> sent = post.map(CallPost::credentials).orElse(Map.of());
    transport
        .options()
        .credentials()
        .headers()
        .onComplete(
            now -> {
              if (state == State.DONE) {
                return;
              }
              if (now.succeeded() && !now.result().equals(sent)) {
                queue();
              } else {
                answer(error("The backend refused our credentials."));
              }
            });
  }

  private Envelope error(String text) {
    return Answers.error(request.id(), "backend_unavailable", text, transport.reader());
  }

  private void answer(Envelope message) {
    if (finish()) {
      listener.answer(Answers.withId(request.id(), message, transport.reader()));
    }
  }

  private void unknown(String reason, String what) {
    lost(Outcome.unknown(reason, what));
  }

  private void notDispatched(String reason, String what) {
    lost(Outcome.notDispatched(reason, what));
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
    endSources();
    whenDone.accept(this);
    return true;
  }

  private void endSources() {
    post.ifPresent(CallPost::close);
    post = Optional.empty();
    stream.ifPresent(CallStream::close);
    stream = Optional.empty();
  }

  /** Streams of {@code known} cannot be resumed any more. */
  void sessionLost(Session known, String what) {
    stream.ifPresent(open -> open.sessionLost(known, what));
  }

  /** The run of the server to which the call was sent is gone. */
  void instanceLost(Session known, String what) {
    if (session == known && isSent()) {
      readAgainOr(Outcome.unknown("backend_lost", what));
    }
  }

  /** The link is gone for good: no answer can come. */
  void linkLost(String what) {
    if (isSent()) {
      unknown("backend_lost", what);
    } else {
      notDispatched("backend_unavailable", what);
    }
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
    boolean sent = isSent();
    if (!finish() || !sent) {
      return Future.succeededFuture();
    }
    Buffer message = Buffer.buffer(Notices.cancelled(request.id(), reason));
    Outgoing post = Outgoing.post(session, request.headers(), message, false);
    return Roundtrip.send(transport, post, Optional.empty(), transport.timing().close())
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }

  /** Stops reading the call's stream; what is under way still arrives. */
  public void pause() {
    conversation.assertOwner();
    paused = true;
    stream.ifPresent(CallStream::pause);
  }

  public void resume() {
    conversation.assertOwner();
    paused = false;
    stream.ifPresent(CallStream::resume);
  }

  /** What becomes of a POST. */
  private final class Post implements CallPost.Listener {
    @Override
    public void progressed(State now) {
      state = now;
    }

    @Override
    public void unsent(Throwable cause) {
      Dispatch.this.unsent(cause);
    }

    @Override
    public void cut(Throwable cause) {
      Dispatch.this.cut(cause);
    }

    @Override
    public void answer(Envelope response) {
      Dispatch.this.answer(response);
    }

    @Override
    public void invalid(String what) {
      unknown("malformed", what);
    }

    @Override
    public void refused(Refusal refusal) {
      Dispatch.this.refused(refusal);
    }

    @Override
    public void stream(Exchange exchange, HttpClientResponse response) {
      post = Optional.empty();
      openStream().attach(exchange, response);
    }
  }

  /** The stream that answers, if it is one. */
  private final class Stream implements CallStream.Listener {
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
      if (outcome.reason().equals("backend_lost")) {
        readAgainOr(outcome);
      } else {
        Dispatch.this.lost(outcome);
      }
    }
  }
}
