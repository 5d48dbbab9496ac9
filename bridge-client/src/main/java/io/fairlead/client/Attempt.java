package io.fairlead.client;

import io.fairlead.wire.Envelope;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.http.HttpClientResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One POST of a call on one session, and the stream over which its answer comes. It says when the
 * call may be sent once more, which takes one of the chances that are left.
 *
 * <p>Thread: owner loop. Owner: {@link Dispatch}, which closes it before it begins another.
 */
final class Attempt {
  /** The reasons for one more POST, each good for once. */
  enum Chance {
    UNSENT,
    PROOF,
    CREDENTIALS,
    READ
  }

  /** Told on the owner loop; nothing after a terminal method or after {@link #close}. */
  interface Listener extends CallStream.Listener {
    void progressed(Dispatch.State state);

    /** What was sent is not needed any more; may be told more than once. */
    void settled();

    /** The call may be sent once more. Terminal. */
    void again();
  }

  private final HttpTransport transport;
  private final Conversation conversation;
  private final Session session;
  private final Set<Chance> chances;
  private final Listener listener;
  private final Optional<CallNumber> number;
  private CallRequest request;
  private Optional<CallPost> post = Optional.empty();
  private Optional<CallStream> stream = Optional.empty();
  private long proofTimer = -1;
  private boolean paused;
  private boolean closed;

  /**
   * @param chances what is left of them for the call
   */
  Attempt(
      HttpTransport transport,
      Conversation conversation,
      Session session,
      CallRequest request,
      Set<Chance> chances,
      Listener listener) {
    this.transport = transport;
    this.conversation = conversation;
    this.session = session;
    this.request = request;
    this.chances = chances;
    this.listener = listener;
    this.number = request.reads() ? Optional.empty() : session.nextCall();
  }

  void start() {
    CallPost once = new CallPost(transport, request.id(), new Post());
    post = Optional.of(once);
    once.start(request, session, number, request.reads() && chances.contains(Chance.READ));
    request = request.withoutMessage();
  }

  Session session() {
    return session;
  }

  void pause() {
    paused = true;
    stream.ifPresent(CallStream::pause);
  }

  void resume() {
    paused = false;
    stream.ifPresent(CallStream::resume);
  }

  /** Streams of {@code known} cannot be resumed any more. */
  void sessionLost(Session known, String what) {
    stream.ifPresent(open -> open.sessionLost(known, what));
  }

  /**
   * The run of the server that has the call is gone. But while a POST to a Fairlead has no answer,
   * it may have met the next run, whose refusal is under way and proves that nothing ran.
   */
  void instanceLost(String what) {
    Outcome unknown = Outcome.unknown("backend_lost", what);
    if (post.isEmpty() || number.isEmpty()) {
      readAgainOr(unknown);
    } else if (proofTimer < 0) {
      long millis = Math.max(1, transport.timing().refused().toMillis());
      proofTimer = transport.vertx().setTimer(millis, fired -> listener.lost(unknown));
    }
  }

  /** Idempotent. */
  void close() {
    closed = true;
    transport.vertx().cancelTimer(proofTimer);
    endPost();
    stream.ifPresent(CallStream::close);
    stream = Optional.empty();
  }

  private void endPost() {
    post.ifPresent(CallPost::close);
    post = Optional.empty();
  }

  private void unsent(Throwable cause) {
    if (cause instanceof ConnectionPoolTooBusyException) {
      int max = transport.options().maxConnections();
      notDispatched("overloaded", "Too many connections to the backend: max=" + max + ".");
      return;
    }
    conversation.doubt();
    againOr(
        Chance.UNSENT,
        Outcome.notDispatched(
            "backend_unavailable",
            "The backend cannot be reached (" + Causes.describe(cause) + ")."));
  }

  /** The connection broke after the first byte may have left, before a cursor was known. */
  private void cut(Throwable cause) {
    conversation.doubt();
    if (cause instanceof TooLarge) {
      String what = "The answer is too large: " + cause.getMessage() + ".";
      listener.lost(Outcome.unknown("too_large", what));
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
    endPost();
    settle();
    CallStream answer =
        new CallStream(transport, conversation, session, request, number, new Stream());
    stream = Optional.of(answer);
    if (paused) {
      answer.pause();
    }
    return answer;
  }

  /** What is done is done, whatever comes of it: only a read is sent again after this. */
  private void settle() {
    if (!request.reads()) {
      listener.settled();
    }
  }

  private void readAgainOr(Outcome outcome) {
    if (request.reads()) {
      againOr(Chance.READ, outcome);
    } else {
      listener.lost(outcome);
    }
  }

  private void againOr(Chance chance, Outcome outcome) {
    if (chances.remove(chance)) {
      listener.again();
    } else {
      listener.lost(outcome);
    }
  }

  private void notDispatched(String reason, String what) {
    listener.lost(Outcome.notDispatched(reason, what));
  }

  private void refused(Refusal refusal) {
    String status = "status=" + refusal.status() + ".";
    if (refusal.isUnauthorized()) {
      unauthorized(refusal);
    } else if (number.isPresent() && !refusal.whole()) {
      findOut("The refusal was cut: " + status);
    } else if (refusal.provesNotDispatched()) {
      conversation.renew(session);
      String what = "The backend refuses the session: " + status;
      againOr(Chance.PROOF, Outcome.notDispatched("session_unknown", what));
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
      listener.answer(
          refusal.error().orElseGet(() -> error("The backend refused the request: " + status)));
    } else {
      findOut("The backend failed: " + status);
    }
  }

  /** Sends once more if the credentials have changed meanwhile. */
  private void unauthorized(Refusal refusal) {
    Envelope error = error("The backend refused our credentials.");
    if (refusal.status() != 401 || !chances.remove(Chance.CREDENTIALS)) {
      listener.answer(error);
      return;
    }
    Map<String, String> sent = post.map(CallPost::credentials).orElse(Map.of());
    transport
        .options()
        .credentials()
        .headers()
        .onComplete(
            now -> {
              if (closed) {
                return;
              }
              if (now.succeeded() && !now.result().equals(sent)) {
                listener.again();
              } else {
                listener.answer(error);
              }
            });
  }

  private Envelope error(String text) {
    return Answers.error(request.id(), "backend_unavailable", text, transport.reader());
  }

  /** What becomes of the POST. */
  private final class Post implements CallPost.Listener {
    @Override
    public void progressed(Dispatch.State now) {
      listener.progressed(now);
      if (now == Dispatch.State.STREAMING) {
        settle();
      }
    }

    @Override
    public void unsent(Throwable cause) {
      Attempt.this.unsent(cause);
    }

    @Override
    public void cut(Throwable cause) {
      Attempt.this.cut(cause);
    }

    @Override
    public void answer(Envelope response) {
      listener.answer(response);
    }

    @Override
    public void invalid(String what) {
      listener.lost(Outcome.unknown("malformed", what));
    }

    @Override
    public void refused(Refusal refusal) {
      Attempt.this.refused(refusal);
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
      listener.answer(response);
    }

    @Override
    public void lost(Outcome outcome) {
      if (outcome.reason().equals("backend_lost")) {
        readAgainOr(outcome);
      } else {
        listener.lost(outcome);
      }
    }
  }
}
