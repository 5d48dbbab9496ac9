package io.fairlead.client;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.Headers;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.SseEvent;
import io.vertx.core.http.HttpClientResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session's standalone stream, if the server offers one. An offered stream that ends is opened
 * again at a bounded rate, after its last event; one that is not offered is left alone.
 *
 * <p>Source: MCP 2025-11-25, transports, "Listening for Messages from the Server".
 *
 * <p>Thread: owner loop. Owner: {@link HttpLink}, one per session.
 */
final class StandaloneStream {
  private static final Logger LOG = LoggerFactory.getLogger(StandaloneStream.class);

  private final HttpTransport transport;
  private final Conversation conversation;
  private final Session session;
  private final Consumer<Envelope> messages;
  private final Resumption resumption;
  private Optional<Exchange> exchange = Optional.empty();
  private Optional<SseBody> leg = Optional.empty();
  private long timer = -1;
  private boolean offered;
  private boolean closed;

  StandaloneStream(
      HttpTransport transport,
      Conversation conversation,
      Session session,
      Consumer<Envelope> messages) {
    this.transport = transport;
    this.conversation = conversation;
    this.session = session;
    this.messages = messages;
    this.resumption = new Resumption(transport.timing());
  }

  void open() {
    Map<String, String> headers = new HashMap<>();
    resumption.cursor().ifPresent(cursor -> headers.put(Headers.LAST_EVENT_ID, cursor));
    exchange =
        Optional.of(Exchange.start(transport, Outgoing.stream(session, headers), new Opening()));
  }

  /** Idempotent. */
  void close() {
    closed = true;
    transport.vertx().cancelTimer(timer);
    endLeg();
  }

  private void endLeg() {
    leg.ifPresent(SseBody::close);
    leg = Optional.empty();
    exchange.ifPresent(Exchange::abort);
    exchange = Optional.empty();
  }

  private void opened(HttpClientResponse response) {
    int status = response.statusCode();
    if (SseBody.isSse(response)) {
      offered = true;
      conversation.trust(session);
      int max = transport.options().maxMessage();
      leg = Optional.of(new SseBody(transport, response, max, new Leg()));
    } else if (!offered) {
      endLeg();
    } else if (status == 404) {
      endLeg();
      conversation.prove(System.nanoTime());
    } else if (status == 401 || status == 409 || status == 429 || status >= 500) {
      endLeg();
      Optional<String> retryAfter = Optional.ofNullable(response.getHeader("Retry-After"));
      openAfter(resumption.notBefore(retryAfter, resumption.nextDelay()));
    } else {
      endLeg();
    }
  }

  private void openAfter(Duration delay) {
    if (!closed) {
      timer = transport.vertx().setTimer(Math.max(1, delay.toMillis()), fired -> open());
    }
  }

  private void ended() {
    leg.ifPresent(body -> resumption.seen(body.lastEventId()));
    endLeg();
    conversation.doubt();
    openAfter(resumption.nextDelay());
  }

  private void deliver(byte[] data) {
    try {
      Envelope message = transport.reader().read(data);
      if (!message.isResponse()) {
        messages.accept(message);
      }
    } catch (MalformedMessage e) {
      LOG.debug("The backend sent something that is not a message: code={}", e.error().code());
    }
  }

  /** One GET, until its head. */
  private final class Opening implements Exchange.Listener {
    @Override
    public void answered(HttpClientResponse response) {
      opened(response);
    }

    @Override
    public void failed(Throwable cause, boolean sent) {
      exchange = Optional.empty();
      conversation.doubt();
      openAfter(resumption.nextDelay());
    }
  }

  /** One connection, from its head to its end. */
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
      LOG.debug("A message above max-message={} was skipped", transport.options().maxMessage());
    }

    @Override
    public void ended(boolean clean) {
      StandaloneStream.this.ended();
    }
  }
}
