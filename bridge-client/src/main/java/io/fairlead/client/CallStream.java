package io.fairlead.client;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.Headers;
import io.fairlead.wire.MalformedMessage;
import io.vertx.core.http.HttpClientResponse;
import java.time.Duration;
import java.util.Optional;

/**
 * The stream that answers one call, over as many connections as it takes: the POST's response, then
 * GETs that resume after the last complete event. There is no limit on attempts while the server
 * lives, only a bounded rate.
 *
 * <p>Thread: owner loop. Owner: the {@link Attempt} of the call, which closes it.
 */
final class CallStream {
  /** Told on the owner loop; nothing after a terminal method or after {@link #close}. */
  interface Listener {
    void message(Envelope message);

    /** The server ended its connection politely and wants to be asked again. */
    void polled(Duration delay);

    /** Terminal. */
    void answer(Envelope response);

    /** It was cut and cannot be resumed, or cannot be read. Terminal. */
    void lost(Outcome outcome);
  }

  /** In a row; then it is not for a while that something on the way knows no server. */
  private static final int MAX_STRANGE = 3;

  private final HttpTransport transport;
  private final Conversation conversation;
  private final Session session;
  private final CallRequest request;
  private final Optional<CallNumber> number;
  private final Listener listener;
  private final Legs legs;
  private long cutNanos;
  private int strange;
  private boolean closed;

  /**
   * @param session the session on which the call was sent, which alone knows its stream
   * @param number the call's, by which a Fairlead knows the stream before its first event
   */
  CallStream(
      HttpTransport transport,
      Conversation conversation,
      Session session,
      CallRequest request,
      Optional<CallNumber> number,
      Listener listener) {
    this.transport = transport;
    this.conversation = conversation;
    this.session = session;
    this.request = request;
    this.number = number;
    this.listener = listener;
    this.legs = new Legs(transport, session, request.headers(), new Events());
    number.ifPresent(named -> legs.resumption().seen(named.start()));
  }

  /** Asks for the stream of which not one byte has come. */
  void open() {
    cutNanos = System.nanoTime();
    openAgain();
  }

  /** Reads a leg. Must be called in the turn in which the head came. */
  void attach(Exchange from, HttpClientResponse response) {
    legs.attach(from, response);
  }

  void pause() {
    legs.pause();
  }

  void resume() {
    legs.resume();
  }

  /** What {@code known} could resume is gone. Without effect on a leg that still delivers. */
  void sessionLost(Session known, String what) {
    if (known == session && !legs.isReading()) {
      lose("backend_lost", what);
    }
  }

  /** Stops everything. Idempotent. */
  void close() {
    closed = true;
    legs.close();
  }

  private void lose(String reason, String what) {
    lose(Outcome.unknown(reason, what));
  }

  private void lose(Outcome outcome) {
    if (!closed) {
      close();
      listener.lost(outcome);
    }
  }

  private void deliver(byte[] data) {
    Envelope message;
    try {
      message = transport.reader().read(data);
    } catch (MalformedMessage e) {
      lose("malformed", "The backend sent something that is not a JSON-RPC message.");
      return;
    }
    if (!message.isResponse()) {
      listener.message(message);
    } else if (Answers.isFor(request.id(), message)) {
      close();
      listener.answer(message);
    }
  }

  private void legEnded(boolean clean) {
    cutNanos = System.nanoTime();
    Resumption resumption = legs.resumption();
    if (resumption.cursor().isEmpty()) {
      conversation.doubt();
      lose("backend_lost", "The connection to the backend was lost before the answer came.");
      return;
    }
    Duration delay = resumption.nextDelay();
    if (!clean) {
      conversation.prove(cutNanos);
    } else if (resumption.retryGiven()) {
      listener.polled(delay);
    }
    legs.openAfter(delay);
  }

  private void openAgain() {
    legs.end();
    legs.openAfter(legs.resumption().nextDelay());
  }

  private void resumed(HttpClientResponse response) {
    if (session.isAnotherInstance(Optional.ofNullable(response.getHeader(Headers.INSTANCE)))) {
      conversation.prove(cutNanos);
      lose("backend_lost", "The backend was restarted before the answer came.");
    } else if (SseBody.isSse(response)) {
      strange = 0;
      legs.attach(response);
    } else if (isPassing(response.statusCode())) {
      legs.openAfterRefusal(response);
    } else {
      Refusal.read(transport, response, request.id()).onSuccess(this::refused);
    }
  }

  private void refused(Refusal refusal) {
    if (closed) {
      return;
    }
    if (number.isPresent() && !refusal.whole()) {
      // cut before it said why, which may be a proof
      openAgain();
      return;
    }
    if (refusal.isSessionUnknown()) {
      conversation.prove(cutNanos);
      if (isStrange(refusal) && strange < MAX_STRANGE) {
        strange++;
        openAgain();
        return;
      }
    }
    String reason = number.flatMap(named -> refusal.reason()).orElse("");
    switch (reason) {
      case "not_dispatched" ->
          lose(Outcome.notDispatched(reason, "The backend never got the whole call."));
      case "evicted" -> lose(Outcome.evicted());
      default ->
          lose(
              reason.equals("forgotten") ? reason : "backend_lost",
              "The backend refused to resume the call: status=" + refusal.status() + ".");
    }
  }

  /** Whether the call was sent to a Fairlead, and something else refuses in its place. */
  private boolean isStrange(Refusal refusal) {
    return number.isPresent() && refusal.error().isEmpty();
  }

  /** Whether a refusal may pass: refreshed credentials, a freed stream, a server that recovers. */
  private static boolean isPassing(int status) {
    return status == 401 || status == 408 || status == 409 || status == 429 || status >= 500;
  }

  private final class Events implements Legs.Listener {
    @Override
    public void answered(HttpClientResponse response) {
      resumed(response);
    }

    @Override
    public void unanswered() {
      conversation.prove(cutNanos);
      openAgain();
    }

    @Override
    public void data(byte[] data) {
      deliver(data);
    }

    @Override
    public void oversize() {
      int max = transport.options().maxMessage();
      lose("too_large", "The backend sent a message above max-message=" + max + " bytes.");
    }

    @Override
    public void ended(boolean clean) {
      legEnded(clean);
    }
  }
}
