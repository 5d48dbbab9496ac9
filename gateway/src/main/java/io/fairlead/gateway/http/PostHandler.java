package io.fairlead.gateway.http;

import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.session.CallNumbers;
import io.fairlead.gateway.session.Services;
import io.fairlead.gateway.session.Session;
import io.fairlead.gateway.session.Sessions;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.Json;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.Methods;
import io.fairlead.wire.Revision;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * Takes the messages that clients POST (MCP 2025-11-25, transports, "Sending Messages to the
 * Server"): requests, notifications and responses.
 *
 * <p>Thread: owner loop.
 */
final class PostHandler {
  private static final int MAX_BATCH = 100;

  private final Services services;
  private final Sessions sessions;
  private final Handshake handshake;
  private final BodyReader bodies;
  private final BooleanSupplier draining;

  PostHandler(
      Services services,
      Sessions sessions,
      Handshake handshake,
      BodyReader bodies,
      BooleanSupplier draining) {
    this.services = services;
    this.sessions = sessions;
    this.handshake = handshake;
    this.bodies = bodies;
    this.draining = draining;
  }

  /** One POST: whose it is, where it came to, and what its headers said. */
  private record Post(
      HttpReply reply, RequestHeaders headers, Principal principal, String endpoint) {}

  /** Handles a request that has passed the guards; its body is still unread and paused. */
  void handle(HttpReply reply, Principal principal, String endpoint) {
    MultiMap sent = reply.request().headers();
    RequestHeaders.checkContentType(sent);
    RequestHeaders headers = RequestHeaders.of(sent, Accept.ofPost(sent));
    Post post = new Post(reply, headers, principal, endpoint);
    Optional<Session> session = headers.sessionId().flatMap(id -> find(post, id));
    if (session.isPresent()) {
      headers.checkVersion();
      checkNegotiated(headers, session.get());
    }
    session.ifPresent(
        found -> {
          headers.call().ifPresent(number -> receive(found, number));
          found.hold();
        });
    bodies
        .read(reply.request())
        .onComplete(
            body -> {
              session.ifPresent(Session::release);
              if (body.failed()) {
                failed(reply, body.cause());
              } else {
                reply.guard(() -> received(post, session, body.result()));
              }
              session.ifPresent(found -> headers.call().ifPresent(number -> settle(found, number)));
            });
  }

  /** The POST with this number has begun; it must be the first. */
  private static void receive(Session session, long number) {
    switch (session.numbers().standing(number)) {
      case FRESH -> session.numbers().receive(number);
      case RECEIVING, DISPATCHED -> throw new Refused(SessionRefusals.duplicateCall());
      case FENCED -> throw new Refused(SessionRefusals.fenced());
      case FORGOTTEN -> throw new Refused(SessionRefusals.numberForgotten());
    }
  }

  /** The POST with this number is over: if no call came of it, none ever will. */
  private static void settle(Session session, long number) {
    if (session.numbers().standing(number) == CallNumbers.Standing.RECEIVING) {
      session.numbers().fence(number);
    }
  }

  private Optional<Session> find(Post post, String id) {
    post.reply().log().session(id);
    return services.config().sessions().stateful()
        ? sessions.find(id, post.principal(), post.endpoint())
        : Optional.empty();
  }

  private static void checkNegotiated(RequestHeaders headers, Session session) {
    if (headers.version().filter(text -> !text.equals(session.revision().text())).isPresent()) {
      throw new Refused(SessionRefusals.versionMismatch());
    }
  }

  /** The client left in the middle of its body, or sent one that is refused. */
  private static void failed(HttpReply reply, Throwable cause) {
    if (cause instanceof Refused refused) {
      reply.refuse(refused.refusal());
    } else {
      reply.ended(0);
    }
  }

  private void received(Post post, Optional<Session> session, byte[] body) {
    try {
      if (EnvelopeReader.isBatch(body)) {
        batch(post, session, body);
      } else {
        message(post, session, services.reader().read(body));
      }
    } catch (MalformedMessage malformed) {
      if (post.headers().session().isPresent() && session.isEmpty() && isStateful()) {
        post.reply().refuse(SessionRefusals.sessionUnknown());
      } else {
        post.reply().refuse(SessionRefusals.malformed(malformed.error()), malformed.id());
      }
    }
  }

  private void message(Post post, Optional<Session> session, Envelope message) {
    post.reply().log().method(message.method());
    if (message.method().equals(Methods.TOOLS_CALL)) {
      message.name().ifPresent(name -> post.reply().log().tool(name));
    }
    try {
      if (message.method().equals(Methods.INITIALIZE) && message.kind() == Envelope.Kind.REQUEST) {
        initialize(post, session, message);
      } else {
        inSession(post, session(post, session, message), message);
      }
    } catch (Refused refused) {
      post.reply()
          .refuse(refused.refusal(), message.isResponse() ? Optional.empty() : message.id());
    }
  }

  private void initialize(Post post, Optional<Session> session, Envelope request) {
    if (session.isPresent() && !session.get().isClosed()) {
      throw new Refused(SessionRefusals.alreadyInitialized());
    }
    if (draining.getAsBoolean()) {
      throw new Refused(Refusals.draining());
    }
    Session.Start start =
        Handshake.read(request, post.principal(), post.endpoint())
            .orElseThrow(() -> new Refused(SessionRefusals.malformedInitialize()));
    handshake.start(post.reply(), post.headers(), request, start);
  }

  /** The session that the message belongs to; in stateless mode one of its own. */
  private Session session(Post post, Optional<Session> session, Envelope message) {
    if (isModern(post, message)) {
      throw new Refused(SessionRefusals.modern());
    }
    post.headers().checkVersion();
    if (!isStateful()) {
      return sessions.exchange(
          new Session.Start(
              post.principal(),
              post.endpoint(),
              post.headers().version().flatMap(Revision::of).orElse(Revision.V2025_03_26),
              new byte[0]));
    }
    if (session.isEmpty() || session.get().isClosed()) {
      throw new Refused(
          post.headers().session().isPresent()
              ? SessionRefusals.sessionUnknown()
              : SessionRefusals.sessionMissing());
    }
    sessions.confirm(session.get());
    return session.get();
  }

  /** A request of the stateless revision: here a front for it would take over. */
  private static boolean isModern(Post post, Envelope message) {
    return post.headers().isModern()
        || message.method().equals("server/discover")
        || message
            .params()
            .flatMap(params -> Json.member(message.bytes(), params, "_meta"))
            .flatMap(
                meta ->
                    Json.member(message.bytes(), meta, "io.modelcontextprotocol/protocolVersion"))
            .isPresent();
  }

  private void inSession(Post post, Session session, Envelope message) {
    OptionalLong number = isStateful() ? post.headers().call() : OptionalLong.empty();
    if (message.kind() != Envelope.Kind.REQUEST) {
      // it takes effect: no fence may say that nothing did
      number.ifPresent(session.numbers()::dispatched);
    }
    switch (message.kind()) {
      case REQUEST -> {
        admit(session, message);
        boolean eager = message.method().equals(Methods.TOOLS_CALL);
        CallReply.Form form = post.headers().accept().form(eager);
        CallReply sink =
            new CallReply(
                post.reply(),
                services,
                session,
                message.id().orElseThrow(),
                form,
                number.isPresent());
        session.call(message, post.principal(), form != CallReply.Form.JSON, number, sink);
      }
      case NOTIFICATION -> {
        post.reply().empty(202);
        session.notification(message);
      }
      case RESULT, ERROR -> {
        post.reply().empty(202);
        session.response(message);
      }
    }
  }

  private void admit(Session session, Envelope request) {
    if (session.isOutdated()) {
      throw new Refused(SessionRefusals.sessionUnknown());
    }
    if (draining.getAsBoolean()) {
      throw new Refused(Refusals.draining());
    }
    if (!session.admitsCall()) {
      throw new Refused(Refusals.overloaded("limits.calls-per-session"));
    }
    if (services.tally().calls() >= services.config().limits().calls()) {
      throw new Refused(Refusals.overloaded("limits.calls"));
    }
    if (!services.tally().callBytes().admits(request.bytes().length)) {
      throw new Refused(Refusals.overloaded("call_bytes"));
    }
  }

  private void batch(Post post, Optional<Session> session, byte[] body) throws MalformedMessage {
    boolean gone = session.isEmpty() || session.get().isClosed();
    if (gone && post.headers().session().isPresent() && isStateful()) {
      throw new Refused(SessionRefusals.sessionUnknown());
    }
    if (session.isEmpty() || !session.get().revision().batches()) {
      throw new Refused(SessionRefusals.batch());
    }
    if (post.headers().call().isPresent()) {
      throw new Refused(SessionRefusals.numberedBatch());
    }
    post.headers().accept().requireJson("a batch");
    List<Envelope> messages = services.reader().readBatch(body, MAX_BATCH);
    sessions.confirm(session.get());
    BatchReply.answer(post.reply(), session.get(), post.principal(), messages, this::admit);
  }

  private boolean isStateful() {
    return services.config().sessions().stateful();
  }
}
