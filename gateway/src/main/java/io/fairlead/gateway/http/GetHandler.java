package io.fairlead.gateway.http;

import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.observe.Exchange;
import io.fairlead.gateway.session.CallNumbers;
import io.fairlead.gateway.session.RequestStream;
import io.fairlead.gateway.session.Services;
import io.fairlead.gateway.session.Session;
import io.fairlead.gateway.session.Sessions;
import io.fairlead.store.EventId;
import io.fairlead.store.EventKind;
import io.vertx.core.MultiMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * Opens streams that clients GET (MCP 2025-11-25, transports, "Listening for Messages from the
 * Server" and "Resumability and Redelivery"): the standalone one, or any after a cursor. A newcomer
 * takes over from the connection that holds the stream.
 *
 * <p>Thread: owner loop.
 */
final class GetHandler {
  private final Services services;
  private final Sessions sessions;
  private final BooleanSupplier draining;

  GetHandler(Services services, Sessions sessions, BooleanSupplier draining) {
    this.services = services;
    this.sessions = sessions;
    this.draining = draining;
  }

  void handle(HttpReply reply, Principal principal, String endpoint) {
    if (!services.config().sessions().stateful()) {
      throw new Refused(Refusals.methodNotAllowed("POST"));
    }
    MultiMap sent = reply.request().headers();
    RequestHeaders headers = RequestHeaders.of(sent, Accept.ofGet(sent));
    headers.checkVersion();
    Session session = require(sessions, reply, headers, principal, endpoint);
    sessions.confirm(session);
    if (headers.lastEventId().isEmpty()) {
      if (draining.getAsBoolean()) {
        throw new Refused(Refusals.draining());
      }
      RequestStream standalone = session.standalone();
      open(reply, session, standalone, standalone.delivered(), Optional.empty());
    } else {
      resume(reply, session, headers.lastEventId().get());
    }
  }

  /** The session that a GET or DELETE is about. */
  static Session require(
      Sessions sessions,
      HttpReply reply,
      RequestHeaders headers,
      Principal principal,
      String endpoint) {
    String id =
        headers.sessionId().orElseThrow(() -> new Refused(SessionRefusals.sessionMissing()));
    reply.log().session(id);
    Session session =
        sessions
            .find(id, principal, endpoint)
            .orElseThrow(() -> new Refused(SessionRefusals.sessionUnknown()));
    if (headers.version().filter(text -> !text.equals(session.revision().text())).isPresent()) {
      throw new Refused(SessionRefusals.versionMismatch());
    }
    return session;
  }

  private void resume(HttpReply reply, Session session, String cursor) {
    EventId event =
        EventId.parse(cursor)
            .orElseThrow(() -> refused("malformed", SessionRefusals.malformedEvent()));
    Optional<RequestStream> known = session.stream(event.stream());
    if (known.isPresent()) {
      resume(reply, session, known.get(), event);
    } else {
      ask(reply, session, event, cursor);
    }
  }

  /** A cursor into no stream that is known: it may name a call of which no byte came back. */
  private void ask(HttpReply reply, Session session, EventId event, String cursor) {
    OptionalLong named = CallNumbers.ofStream(event.stream());
    if (session.forgotStream(event.stream())) {
      throw refused("evicted", SessionRefusals.evicted());
    }
    if (named.isEmpty()) {
      throw refused("unknown_event", SessionRefusals.unknownEvent());
    }
    long number = named.getAsLong();
    CallNumbers numbers = session.numbers();
    switch (numbers.standing(number)) {
      case FRESH -> {
        numbers.fence(number);
        services.metrics().count("fences");
        throw refused("not_dispatched", SessionRefusals.notDispatched());
      }
      case FENCED -> throw refused("not_dispatched", SessionRefusals.notDispatched());
      case DISPATCHED -> throw refused("evicted", SessionRefusals.evicted());
      case FORGOTTEN -> throw refused("forgotten", SessionRefusals.forgotten());
      case RECEIVING -> {
        reply.response().closeHandler(gone -> reply.ended(0)).exceptionHandler(failure -> {});
        numbers.await(
            number,
            () -> {
              if (!reply.response().closed()) {
                reply.guard(() -> resume(reply, session, cursor));
              }
            });
      }
    }
  }

  /**
   * Repeats the cursor of a client that knows priming events: stock clients forget it when a
   * resumed connection is cut before an id came on it. It moves nothing.
   */
  private static Optional<String> repeated(RequestStream stream, EventId cursor) {
    return stream.isEnded() ? Optional.empty() : Optional.of(cursor.format());
  }

  private void resume(HttpReply reply, Session session, RequestStream stream, EventId cursor) {
    stream
        .resume(cursor.sequence())
        .fold(
            gap -> {
              if (stream.resumesTooOften(cursor.sequence())) {
                throw refused("too_often", Refusals.resumedTooOften());
              }
              resumed(reply, gap == 0 ? "ok" : "gap");
              open(reply, session, stream, cursor.sequence(), repeated(stream, cursor));
              return null;
            },
            () -> {
              resumed(reply, "evicted");
              SseSink sink = new SseSink(reply, services, session.revision());
              sink.open(Optional.empty());
              sink.event("", EventKind.RESPONSE, stream.evictedAnswer());
              sink.end();
              return null;
            },
            () -> {
              throw refused("unknown_event", SessionRefusals.unknownEvent());
            });
  }

  private void resumed(HttpReply reply, String result) {
    reply.log().leg(Exchange.Leg.RESUMED);
    services.metrics().resumed(result);
  }

  private Refused refused(String result, Refusal refusal) {
    services.metrics().resumed(result);
    return new Refused(refusal);
  }

  private void open(
      HttpReply reply,
      Session session,
      RequestStream stream,
      long cursor,
      Optional<String> repeated) {
    SseSink sink = new SseSink(reply, services, session.revision());
    sink.open(repeated);
    sink.attachTo(stream, cursor);
  }
}
