package io.fairlead.gateway.http;

import io.fairlead.gateway.observe.Exchange;
import io.fairlead.gateway.session.OwnerLoop;
import io.fairlead.gateway.session.RequestStream;
import io.fairlead.gateway.session.Services;
import io.fairlead.gateway.session.Session;
import io.fairlead.gateway.session.StreamSink;
import io.fairlead.store.EventKind;
import io.fairlead.wire.RpcError;
import io.fairlead.wire.RpcId;
import java.time.Duration;
import java.util.Optional;

/**
 * The answer to one request in a POST: JSON if the response is the first thing to say and the
 * client takes it, else an event stream. A tool call is a stream from the start, so that its client
 * has a cursor before the tool runs; a silent wait becomes one after the keep-alive period.
 *
 * <p>Thread: owner loop. Owner: the exchange.
 */
final class CallReply implements StreamSink {
  private static final RpcError CANCELLED =
      RpcError.of(RpcError.CANCELLED, "cancelled", "The request was cancelled.");
  private static final RpcError TAKEN_OVER =
      RpcError.of(
          RpcError.CANCELLED, "taken_over", "Another connection waits for the answer by now.");

  /** What a client takes, by its Accept header. */
  enum Form {
    /** One JSON body: nothing but the response can be said. */
    JSON,
    /** An event stream from the start. */
    STREAM,
    /** Whichever fits what comes first. */
    EITHER
  }

  private final HttpReply reply;
  private final Services services;
  private final Session session;
  private final RpcId id;
  private final Form form;
  private final boolean numbered;
  private RequestStream stream;
  private SseSink sse;
  private OwnerLoop.Timer patience = OwnerLoop.Timer.NONE;
  private boolean answered;

  /** Whether the client was told an id of the stream's. */
  private boolean hasCursor;

  /**
   * @param numbered whether the client can name the stream by the number of its call
   */
  CallReply(
      HttpReply reply, Services services, Session session, RpcId id, Form form, boolean numbered) {
    this.reply = reply;
    this.services = services;
    this.session = session;
    this.id = id;
    this.form = form;
    this.numbered = numbered;
    this.hasCursor = numbered;
  }

  @Override
  public void attachTo(RequestStream taken, long cursor) {
    stream = taken;
    if (form == Form.STREAM) {
      becomeStream();
    } else {
      reply.response().closeHandler(nothing -> gone());
      reply.response().exceptionHandler(failure -> {});
    }
    if (form == Form.EITHER) {
      patience = services.loop().after(services.config().limits().keepAlive(), this::becomeStream);
    }
    taken.attach(cursor, this);
  }

  @Override
  public boolean canReturn() {
    return sse != null && hasCursor;
  }

  @Override
  public boolean full() {
    return sse != null && sse.full();
  }

  @Override
  public void event(String eventId, EventKind kind, byte[] message) {
    if (sse == null && kind != EventKind.RESPONSE && form == Form.EITHER) {
      becomeStream();
    }
    if (sse != null) {
      hasCursor |= !eventId.isEmpty();
      sse.event(eventId, kind, message);
    } else if (kind == EventKind.RESPONSE) {
      answer(message);
    }
  }

  @Override
  public void gap(long events) {
    if (sse != null) {
      sse.gap(events);
    }
  }

  @Override
  public void end() {
    patience.cancel();
    if (sse != null) {
      sse.end();
      return;
    }
    if (!answered) {
      answer(CANCELLED.toMessage(Optional.of(id)));
    }
    if (!numbered) {
      // The client was given no id, so nobody can come back for this stream.
      stream.close();
    }
  }

  @Override
  public void displaced() {
    if (sse != null) {
      sse.displaced();
    } else if (!answered) {
      answer(TAKEN_OVER.toMessage(Optional.of(id)));
    }
  }

  @Override
  public void poll(Duration retry) {
    if (sse != null) {
      sse.poll(retry);
    }
  }

  private void becomeStream() {
    patience.cancel();
    sse = new SseSink(reply, services, session.revision());
    hasCursor |= sse.open(stream.startId());
    sse.carry(stream, this);
  }

  private void answer(byte[] message) {
    answered = true;
    patience.cancel();
    reply.json(200, message);
  }

  private void gone() {
    if (!answered) {
      patience.cancel();
      reply.log().leg(Exchange.Leg.CLIENT_GONE);
      reply.ended(0);
      if (hasCursor) {
        stream.detach(this);
      } else {
        stream.abandon(this);
      }
    }
  }
}
