package io.fairlead.client;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.Headers;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.RpcId;
import io.fairlead.wire.SseEvent;
import io.vertx.core.http.HttpClientResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The stream that answers one call, over as many connections as it takes: the POST's response, then
 * GETs that resume after the last complete event. There is no limit on attempts while the server
 * lives, only a bounded rate.
 *
 * <p>Source: MCP 2025-11-25, transports, "Resumability and Redelivery".
 *
 * <p>Thread: owner loop. Owner: the {@link Dispatch} of the call, which closes it.
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

  private final HttpTransport transport;
  private final Conversation conversation;
  private final Session session;
  private final RpcId id;
  private final Map<String, String> headers;
  private final Optional<CallNumber> number;
  private final Listener listener;
  private final Resumption resumption;
  private Optional<Exchange> exchange = Optional.empty();
  private Optional<SseBody> leg = Optional.empty();
  private long timer = -1;
  private long cutNanos;
  private boolean paused;
  private boolean closed;

  /**
   * @param session the session on which the call was sent, which alone knows its stream
   * @param headers sent with each resume, beside those of the session
   * @param number the call's, by which a Fairlead knows the stream before its first event
   */
  CallStream(
      HttpTransport transport,
      Conversation conversation,
      Session session,
      RpcId id,
      Map<String, String> headers,
      Optional<CallNumber> number,
      Listener listener) {
    this.transport = transport;
    this.conversation = conversation;
    this.session = session;
    this.id = id;
    this.headers = headers;
    this.number = number;
    this.listener = listener;
    this.resumption = new Resumption(transport.timing());
    number.ifPresent(named -> resumption.seen(named.start()));
  }

  /** Asks for the stream of which not one byte has come. */
  void open() {
    cutNanos = System.nanoTime();
    resumeAfter(resumption.nextDelay());
  }

  /** Reads a leg. Must be called in the turn in which the head came. */
  void attach(Exchange from, HttpClientResponse response) {
    exchange = Optional.of(from);
    SseBody body = new SseBody(transport, response, transport.options().maxMessage(), new Leg());
    leg = Optional.of(body);
    if (paused) {
      body.pause();
    }
  }

  void pause() {
    paused = true;
    leg.ifPresent(SseBody::pause);
  }

  void resume() {
    paused = false;
    leg.ifPresent(SseBody::resume);
  }

  /** What {@code known} could resume is gone. Without effect on a leg that still delivers. */
  void sessionLost(Session known, String what) {
    if (known == session && leg.isEmpty()) {
      lose("backend_lost", what);
    }
  }

  /** Stops everything. Idempotent. */
  void close() {
    closed = true;
    transport.vertx().cancelTimer(timer);
    leg.ifPresent(SseBody::close);
    leg = Optional.empty();
    exchange.ifPresent(Exchange::abort);
    exchange = Optional.empty();
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
    } else if (Answers.isFor(id, message)) {
      close();
      listener.answer(message);
    }
  }

  private void legEnded(boolean clean) {
    leg.ifPresent(body -> resumption.seen(body.lastEventId()));
    endLeg();
    cutNanos = System.nanoTime();
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
    resumeAfter(delay);
  }

  private void endLeg() {
    leg = Optional.empty();
    exchange.ifPresent(Exchange::abort);
    exchange = Optional.empty();
  }

  private void resumeAfter(Duration delay) {
    if (!closed) {
      timer = transport.vertx().setTimer(Math.max(1, delay.toMillis()), fired -> resumeNow());
    }
  }

  private void resumeNow() {
    Map<String, String> all = new LinkedHashMap<>(headers);
    resumption.cursor().ifPresent(cursor -> all.put(Headers.LAST_EVENT_ID, cursor));
    exchange = Optional.of(Exchange.start(transport, Outgoing.stream(session, all), new Resume()));
  }

  private void resumed(HttpClientResponse response) {
    int status = response.statusCode();
    if (session.isAnotherInstance(Optional.ofNullable(response.getHeader(Headers.INSTANCE)))) {
      conversation.prove(cutNanos);
      lose("backend_lost", "The backend was restarted before the answer came.");
    } else if (SseBody.isSse(response)) {
      exchange.ifPresent(from -> attach(from, response));
    } else if (isPassing(status)) {
      endLeg();
      Optional<String> retryAfter = Optional.ofNullable(response.getHeader("Retry-After"));
      resumeAfter(resumption.notBefore(retryAfter, resumption.nextDelay()));
    } else {
      Refusal.read(transport, response, id).onSuccess(this::refused);
    }
  }

  private void refused(Refusal refusal) {
    if (number.isPresent() && !refusal.whole()) {
      // cut before it said why, which may be a proof
      endLeg();
      resumeAfter(resumption.nextDelay());
      return;
    }
    if (refusal.isSessionUnknown()) {
      conversation.prove(cutNanos);
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

  /** Whether a refusal may pass: refreshed credentials, a freed stream, a server that recovers. */
  private static boolean isPassing(int status) {
    return status == 401 || status == 408 || status == 409 || status == 429 || status >= 500;
  }

  /** One resume, until its head. */
  private final class Resume implements Exchange.Listener {
    @Override
    public void answered(HttpClientResponse response) {
      resumed(response);
    }

    @Override
    public void failed(Throwable cause, boolean sent) {
      exchange = Optional.empty();
      conversation.prove(cutNanos);
      resumeAfter(resumption.nextDelay());
    }
  }

  /** One leg, from its head to its end. */
  private final class Leg implements SseBody.Listener {
    @Override
    public void event(SseEvent event) {
      resumption.event(event);
      if (event.type().equals("message") && event.data().length > 0) {
        deliver(event.data());
      }
    }

    @Override
    public void retry(long millis) {
      resumption.retry(millis);
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
