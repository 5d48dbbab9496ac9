package io.fairlead.client;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.MalformedMessage;
import io.vertx.core.http.HttpClientResponse;
import java.util.Map;
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
  private final Legs legs;
  private boolean offered;

  StandaloneStream(
      HttpTransport transport,
      Conversation conversation,
      Session session,
      Consumer<Envelope> messages) {
    this.transport = transport;
    this.conversation = conversation;
    this.session = session;
    this.messages = messages;
    this.legs = new Legs(transport, session, Map.of(), new Events());
  }

  void open() {
    legs.open();
  }

  void pause() {
    legs.pause();
  }

  void resume() {
    legs.resume();
  }

  /** Idempotent. */
  void close() {
    legs.close();
  }

  private void opened(HttpClientResponse response) {
    int status = response.statusCode();
    if (SseBody.isSse(response)) {
      offered = true;
      conversation.trust(session);
      legs.attach(response);
    } else if (offered && (status == 401 || status == 409 || status == 429 || status >= 500)) {
      legs.openAfterRefusal(response);
    } else {
      legs.end();
      if (offered && status == 404) {
        conversation.prove(System.nanoTime());
      }
    }
  }

  private void openAgain() {
    conversation.doubt();
    legs.openAfter(legs.resumption().nextDelay());
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

  private final class Events implements Legs.Listener {
    @Override
    public void answered(HttpClientResponse response) {
      opened(response);
    }

    @Override
    public void unanswered() {
      openAgain();
    }

    @Override
    public void data(byte[] data) {
      deliver(data);
    }

    @Override
    public void oversize() {
      LOG.debug("A message above max-message={} was skipped", transport.options().maxMessage());
    }

    @Override
    public void ended(boolean clean) {
      openAgain();
    }
  }
}
