package io.fairlead.gateway.http;

import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.observe.Exchange;
import io.fairlead.gateway.session.RequestStream;
import io.fairlead.gateway.session.Session;
import io.fairlead.gateway.session.StreamSink;
import io.fairlead.store.EventKind;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.Headers;
import io.fairlead.wire.Methods;
import io.fairlead.wire.RpcError;
import io.fairlead.wire.RpcId;
import io.vertx.core.AsyncResult;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

/**
 * Answers a batch (revision 2025-03-26 alone): each message is its own call, and the responses go
 * out as the elements of one JSON array, each when it is there and the client takes it. Those that
 * it does not take yet wait in their streams, within the bounds of those.
 *
 * <p>Thread: owner loop. Owner: the exchange; {@link #close} is the one way out.
 */
final class BatchReply {
  private static final RpcError CANCELLED =
      RpcError.of(RpcError.CANCELLED, "cancelled", "The request was cancelled.");

  private static final byte[] FIRST = {'['};
  private static final byte[] NEXT = {','};
  private static final byte[] LAST = {']'};

  private final HttpReply reply;
  private final HttpServerResponse response;
  private final Outflow outflow;
  private final List<Part> parts = new ArrayList<>();
  private int unanswered;
  private boolean begun;
  private boolean closed;

  private BatchReply(HttpReply reply, int requests) {
    this.reply = reply;
    this.response = reply.response();
    this.outflow = reply.outflow();
    this.unanswered = requests;
  }

  /**
   * @param admit refuses a call above the limits with a {@link Refused}
   */
  static void answer(
      HttpReply reply,
      Session session,
      Principal principal,
      List<Envelope> messages,
      BiConsumer<Session, Envelope> admit) {
    long requests = messages.stream().filter(each -> each.kind() == Envelope.Kind.REQUEST).count();
    BatchReply batch = new BatchReply(reply, (int) requests);
    batch.open();
    for (Envelope message : messages) {
      switch (message.kind()) {
        case REQUEST -> batch.call(session, message, principal, admit);
        case NOTIFICATION -> session.notification(message);
        case RESULT, ERROR -> session.response(message);
      }
    }
    if (requests == 0) {
      reply.empty(202);
    }
  }

  private void open() {
    outflow.onRoom(() -> List.copyOf(parts).forEach(part -> part.stream.pump()));
    response.closeHandler(nothing -> gone());
    // A failed write is followed by the close handler; here only so that nobody else logs it.
    response.exceptionHandler(failure -> {});
  }

  private void call(
      Session session, Envelope request, Principal principal, BiConsumer<Session, Envelope> admit) {
    if (request.method().equals(Methods.INITIALIZE)) {
      refused(request, SessionRefusals.alreadyInitialized());
      return;
    }
    try {
      admit.accept(session, request);
    } catch (Refused refused) {
      refused(request, refused.refusal());
      return;
    }
    session.call(request, principal, false, OptionalLong.empty(), new Part(request.id()));
  }

  private void refused(Envelope request, Refusal refusal) {
    reply.count(refusal);
    write(refusal.error().toMessage(request.id()));
    answered();
  }

  /** Writes one element of the array; without effect if the client is gone. */
  private void write(byte[] answer) {
    if (closed) {
      return;
    }
    if (!begun) {
      response.setStatusCode(200).setChunked(true).putHeader("Content-Type", Headers.JSON);
    }
    outflow.write(begun ? NEXT : FIRST);
    begun = true;
    outflow.write(answer);
  }

  /** One more request has got all that it gets. */
  private void answered() {
    unanswered--;
    if (unanswered == 0 && close()) {
      outflow.end(LAST).onComplete(this::over);
    }
  }

  private void over(AsyncResult<Void> sent) {
    if (sent.failed()) {
      reply.log().leg(Exchange.Leg.CLIENT_GONE);
    }
    reply.ended(200);
  }

  private void gone() {
    if (close()) {
      reply.log().leg(Exchange.Leg.CLIENT_GONE);
      reply.ended(begun ? 200 : 0);
      List.copyOf(parts).forEach(part -> part.stream.abandon(part));
    }
  }

  /** Nothing is written after this. False if it was done before. */
  private boolean close() {
    if (closed) {
      return false;
    }
    closed = true;
    return true;
  }

  /** The sink of one call of the batch. */
  private final class Part implements StreamSink {
    private final Optional<RpcId> id;
    private RequestStream stream;
    private boolean hasAnswer;

    Part(Optional<RpcId> id) {
      this.id = id;
    }

    @Override
    public void attachTo(RequestStream taken, long cursor) {
      stream = taken;
      if (closed) {
        taken.abandon(this);
      } else {
        parts.add(this);
        taken.attach(cursor, this);
      }
    }

    @Override
    public boolean canReturn() {
      return false;
    }

    @Override
    public boolean full() {
      // many answers may wait at once: what their streams do not bound, the unsent bytes do
      return !closed && outflow.isFull(reply.share()) && !stream.holdsBesidesBounds();
    }

    @Override
    public void event(String eventId, EventKind kind, byte[] message) {
      if (kind == EventKind.RESPONSE) {
        hasAnswer = true;
        write(message);
      }
    }

    @Override
    public void gap(long events) {}

    @Override
    public void end() {
      if (!hasAnswer) {
        write(CANCELLED.toMessage(id));
      }
      parts.remove(this);
      stream.close();
      answered();
    }

    @Override
    public void displaced() {}

    @Override
    public void poll(Duration retry) {}
  }
}
