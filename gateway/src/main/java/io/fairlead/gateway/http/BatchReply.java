package io.fairlead.gateway.http;

import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.session.RequestStream;
import io.fairlead.gateway.session.Services;
import io.fairlead.gateway.session.Session;
import io.fairlead.gateway.session.StreamSink;
import io.fairlead.store.EventKind;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.Methods;
import io.fairlead.wire.RpcError;
import io.fairlead.wire.RpcId;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

/**
 * Answers a batch (revision 2025-03-26 alone): each message is its own call, and the responses go
 * out as one JSON array when the last is there.
 *
 * <p>Thread: owner loop. Owner: the exchange.
 */
final class BatchReply {
  private final HttpReply reply;
  private final List<byte[]> responses = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();
  private int open;

  private BatchReply(HttpReply reply) {
    this.reply = reply;
  }

  /**
   * @param admit refuses a call above the limits with a {@link Refused}
   */
  static void answer(
      HttpReply reply,
      Services services,
      Session session,
      Principal principal,
      List<Envelope> messages,
      BiConsumer<Session, Envelope> admit) {
    BatchReply batch = new BatchReply(reply);
    List<Envelope> requests =
        messages.stream().filter(message -> message.kind() == Envelope.Kind.REQUEST).toList();
    batch.open = requests.size();
    reply.response().closeHandler(gone -> batch.gone()).exceptionHandler(failure -> {});
    for (Envelope message : messages) {
      switch (message.kind()) {
        case REQUEST -> batch.call(session, message, principal, admit);
        case NOTIFICATION -> session.notification(message);
        case RESULT, ERROR -> session.response(message);
      }
    }
    if (requests.isEmpty()) {
      reply.empty(202);
    } else {
      batch.finishIfComplete();
    }
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
    Part part = new Part(request.id());
    parts.add(part);
    session.call(request, principal, false, OptionalLong.empty(), part);
  }

  private void refused(Envelope request, Refusal refusal) {
    reply.count(refusal);
    responses.add(refusal.error().toMessage(request.id()));
    open--;
  }

  private void finishIfComplete() {
    if (open > 0 || reply.response().ended()) {
      return;
    }
    ByteArrayOutputStream array = new ByteArrayOutputStream();
    for (int i = 0; i < responses.size(); i++) {
      array.write(i == 0 ? '[' : ',');
      array.writeBytes(responses.get(i));
    }
    array.write(']');
    reply.json(200, array.toByteArray());
  }

  private void gone() {
    reply.ended(0);
    parts.forEach(Part::detach);
  }

  /** The sink of one call of the batch. */
  private final class Part implements StreamSink {
    private final Optional<RpcId> id;
    private RequestStream stream;
    private boolean answered;

    Part(Optional<RpcId> id) {
      this.id = id;
    }

    @Override
    public void attachTo(RequestStream taken, long cursor) {
      stream = taken;
      taken.attach(cursor, this);
    }

    void detach() {
      stream.detach(this);
    }

    @Override
    public boolean canReturn() {
      return false;
    }

    @Override
    public boolean full() {
      return false;
    }

    @Override
    public void event(String id, EventKind kind, byte[] message) {
      if (kind == EventKind.RESPONSE) {
        answered = true;
        responses.add(message);
      }
    }

    @Override
    public void gap(long events) {}

    @Override
    public void end() {
      if (!answered) {
        responses.add(
            RpcError.of(RpcError.CANCELLED, "cancelled", "The request was cancelled.")
                .toMessage(id));
      }
      open--;
      stream.close();
      finishIfComplete();
    }

    @Override
    public void displaced() {}

    @Override
    public void poll(Duration retry) {}
  }
}
