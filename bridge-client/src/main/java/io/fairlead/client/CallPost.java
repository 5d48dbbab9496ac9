package io.fairlead.client;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.Headers;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.RpcId;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import java.util.Map;
import java.util.Optional;

/**
 * One POST of a call's request, up to what its response turns out to be: one message, a stream, a
 * refusal, or nothing.
 *
 * <p>Thread: owner loop. Owner: {@link Dispatch}, which may need a second one.
 */
final class CallPost implements Exchange.Listener {
  /** Told on the owner loop; after a terminal method or after {@link #close} nothing is told. */
  interface Listener {
    void progressed(Dispatch.State state);

    /** Not one byte has left. Terminal. */
    void unsent(Throwable cause);

    /** Bytes may have left, and the connection broke before the answer was complete. Terminal. */
    void cut(Throwable cause);

    /** Terminal. */
    void answer(Envelope response);

    /** A response that is not an answer. Terminal. */
    void invalid(String what);

    /** Terminal. */
    void refused(Refusal refusal);

    /** The answer is a stream, whose exchange has another owner from now on. Terminal. */
    void stream(Exchange exchange, HttpClientResponse response);
  }

  private final HttpTransport transport;
  private final RpcId id;
  private final Listener listener;
  private Optional<Exchange> exchange = Optional.empty();
  private boolean closed;

  /**
   * @param id of the call
   */
  CallPost(HttpTransport transport, RpcId id, Listener listener) {
    this.transport = transport;
    this.id = id;
    this.listener = listener;
  }

  /** Sends the request, of which nothing is kept. */
  void start(CallRequest request, Session session, Optional<CallNumber> number, boolean pooled) {
    Map<String, String> headers =
        number.map(n -> n.addTo(request.headers())).orElse(request.headers());
    Outgoing post = Outgoing.post(session, headers, request.message(), pooled);
    exchange = Optional.of(Exchange.start(transport, post, this));
  }

  /** The credentials that were sent. */
  Map<String, String> credentials() {
    return exchange.map(Exchange::credentials).orElse(Map.of());
  }

  /** Ends the exchange; nothing more is told. Idempotent. */
  void close() {
    closed = true;
    exchange.ifPresent(Exchange::abort);
  }

  @Override
  public void writing() {
    listener.progressed(Dispatch.State.WRITING);
  }

  @Override
  public void accepted() {
    listener.progressed(Dispatch.State.ACCEPTED);
  }

  @Override
  public void failed(Throwable cause, boolean sent) {
    if (sent) {
      listener.cut(cause);
    } else {
      listener.unsent(cause);
    }
  }

  @Override
  public void answered(HttpClientResponse response) {
    int status = response.statusCode();
    if (status >= 400) {
      Refusal.read(transport, response, id).onSuccess(this::refused);
      return;
    }
    listener.progressed(Dispatch.State.STREAMING);
    if (SseBody.isSse(response)) {
      Exchange handedOver = exchange.orElseThrow();
      exchange = Optional.empty();
      listener.stream(handedOver, response);
    } else if (status == 200 && SseBody.hasType(response, Headers.JSON)) {
      Bodies.whole(response, transport.options().maxMessage())
          .onSuccess(this::read)
          .onFailure(this::broken);
    } else {
      listener.invalid("The backend answered with status=" + status + " and no message.");
    }
  }

  private void refused(Refusal refusal) {
    if (!closed) {
      listener.refused(refusal);
    }
  }

  private void broken(Throwable cause) {
    if (!closed) {
      listener.cut(cause);
    }
  }

  private void read(Buffer body) {
    if (closed) {
      return;
    }
    exchange.ifPresent(Exchange::complete);
    Optional<Envelope> answer =
        parse(body).filter(message -> message.isResponse() && Answers.isFor(id, message));
    answer.ifPresentOrElse(
        listener::answer,
        () -> listener.invalid("The backend sent something that does not answer the call."));
  }

  private Optional<Envelope> parse(Buffer body) {
    try {
      return Optional.of(transport.reader().read(body.getBytes()));
    } catch (MalformedMessage e) {
      return Optional.empty();
    }
  }
}
