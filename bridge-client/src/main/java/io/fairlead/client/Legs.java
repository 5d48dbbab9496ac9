package io.fairlead.client;

import io.fairlead.wire.Headers;
import io.fairlead.wire.SseEvent;
import io.vertx.core.http.HttpClientResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The connections over which one stream comes, one leg after the other: what each brings is handed
 * on, and the next one begins after the last complete event.
 *
 * <p>Source: MCP 2025-11-25, transports, "Resumability and Redelivery".
 *
 * <p>Thread: owner loop. Owner: the stream, which says when the next leg begins, and closes this.
 */
final class Legs {
  /** Told on the owner loop; nothing after {@link #close}. */
  interface Listener {
    /** The head of a GET, which is to be attached, read or ended in this turn. */
    void answered(HttpClientResponse response);

    /** A GET had no answer. */
    void unanswered();

    /** The data of one event; not empty. */
    void data(byte[] data);

    /** An event above the bound of a message. */
    void oversize();

    /**
     * A leg has ended.
     *
     * @param clean whether the server ended it, else it was cut
     */
    void ended(boolean clean);
  }

  private final HttpTransport transport;
  private final Session session;
  private final Map<String, String> headers;
  private final Listener listener;
  private final Resumption resumption;
  private Optional<Exchange> exchange = Optional.empty();
  private Optional<SseBody> body = Optional.empty();
  private long timer = -1;
  private boolean paused;
  private boolean closed;

  /**
   * @param headers sent with each GET, beside those of the session
   */
  Legs(HttpTransport transport, Session session, Map<String, String> headers, Listener listener) {
    this.transport = transport;
    this.session = session;
    this.headers = headers;
    this.listener = listener;
    this.resumption = new Resumption(transport.timing());
  }

  /** Where the stream is resumed, and when. */
  Resumption resumption() {
    return resumption;
  }

  /** Asks for the stream, from its last event on. */
  void open() {
    Map<String, String> all = new LinkedHashMap<>(headers);
    resumption.cursor().ifPresent(cursor -> all.put(Headers.LAST_EVENT_ID, cursor));
    exchange = Optional.of(Exchange.start(transport, Outgoing.stream(session, all), new Opening()));
  }

  void openAfter(Duration delay) {
    if (!closed) {
      timer = transport.vertx().setTimer(Math.max(1, delay.toMillis()), fired -> open());
    }
  }

  /** Asks again for what was refused for now, not before the server wants it. */
  void openAfterRefusal(HttpClientResponse response) {
    end();
    Optional<String> retryAfter = Optional.ofNullable(response.getHeader("Retry-After"));
    openAfter(resumption.notBefore(retryAfter, resumption.nextDelay()));
  }

  /** Reads the leg that {@code from} has opened, in the turn in which its head came. */
  void attach(Exchange from, HttpClientResponse response) {
    exchange = Optional.of(from);
    attach(response);
  }

  /** Reads the leg of the latest GET, in the turn in which its head came. */
  void attach(HttpClientResponse response) {
    int max = transport.options().maxMessage();
    SseBody leg = new SseBody(transport, response, max, new Leg());
    body = Optional.of(leg);
    if (paused) {
      leg.pause();
    }
  }

  /** Whether a leg is open and may still bring something. */
  boolean isReading() {
    return body.isPresent();
  }

  void pause() {
    paused = true;
    body.ifPresent(SseBody::pause);
  }

  void resume() {
    paused = false;
    body.ifPresent(SseBody::resume);
  }

  /** Ends the leg that is open, if one is. */
  void end() {
    body.ifPresent(SseBody::close);
    body = Optional.empty();
    exchange.ifPresent(Exchange::abort);
    exchange = Optional.empty();
  }

  /** No leg is read or opened after this. Idempotent. */
  void close() {
    closed = true;
    transport.vertx().cancelTimer(timer);
    end();
  }

  /** One GET, until its head. */
  private final class Opening implements Exchange.Listener {
    @Override
    public void answered(HttpClientResponse response) {
      listener.answered(response);
    }

    @Override
    public void failed(Throwable cause, boolean sent) {
      exchange = Optional.empty();
      listener.unanswered();
    }
  }

  /** One leg, from its head to its end. */
  private final class Leg implements SseBody.Listener {
    @Override
    public void event(SseEvent event) {
      resumption.event(event);
      if (event.type().equals("message") && event.data().length > 0) {
        listener.data(event.data());
      }
    }

    @Override
    public void retry(long millis) {
      resumption.retry(millis);
    }

    @Override
    public void oversize() {
      listener.oversize();
    }

    @Override
    public void ended(boolean clean) {
      body.ifPresent(leg -> resumption.seen(leg.lastEventId()));
      end();
      listener.ended(clean);
    }
  }
}
