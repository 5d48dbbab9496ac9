package io.fairlead.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.Headers;
import io.fairlead.wire.Json;
import io.fairlead.wire.Revision;
import io.fairlead.wire.RpcId;
import io.fairlead.wire.Span;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * {@code initialize} and {@code notifications/initialized}: one attempt, in bounded time.
 *
 * <p>Source: MCP 2025-11-25, lifecycle, "Initialization"; transports, "Session Management".
 *
 * <p>Thread: owner loop.
 */
final class Handshake {
  private static final RpcId ID = RpcId.of(0);
  private static final int MAX_SESSION_ID = 1024;

  private final HttpTransport transport;
  private final byte[] params;

  /** A session that is ready for calls. */
  record Opened(Session session, byte[] result) {}

  /**
   * @param params the JSON object to send as params of {@code initialize}
   */
  Handshake(HttpTransport transport, byte[] params) {
    this.transport = transport;
    this.params = params;
  }

  /** Completes on the owner loop; fails with a {@link LinkFailure}. */
  Future<Opened> run() {
    // made anew each time, so that the params are held once for all links of a session
    byte[] initialize = Notices.initialize(ID, params);
    Outgoing outgoing = Outgoing.post(Session.NONE, Map.of(), initialize, false);
    return Roundtrip.send(transport, outgoing, Optional.of(ID), transport.timing().handshake())
        .recover(cause -> Future.failedFuture(unreachable(cause)))
        .map(this::opened)
        .compose(this::confirm);
  }

  private static LinkFailure unreachable(Throwable cause) {
    return LinkFailure.unavailable(
        "The backend did not answer initialize (" + Causes.describe(cause) + ").");
  }

  private Opened opened(Roundtrip.Reply reply) {
    Envelope answer = reply.answer().orElseThrow(() -> refusal(reply.status()));
    if (!reply.isSuccess() || answer.kind() == Envelope.Kind.ERROR) {
      throw reply.isSuccess() ? rejected(answer) : refusal(reply.status());
    }
    byte[] result = Json.copy(answer.bytes(), answer.result().orElseThrow());
    Optional<Revision> revision = Revision.of(text(result, "protocolVersion"));
    if (revision.isEmpty()) {
      throw LinkFailure.refused("The backend speaks no revision of MCP that is supported.");
    }
    Optional<String> id = Optional.ofNullable(reply.headers().get(Headers.SESSION));
    if (id.isPresent() && !isVisibleAscii(id.get())) {
      throw LinkFailure.refused("The backend gave a session id that is not visible ASCII.");
    }
    Optional<String> instance = Optional.ofNullable(reply.headers().get(Headers.INSTANCE));
    return new Opened(new Session(id, Optional.of(revision.get().text()), instance), result);
  }

  private static LinkFailure refusal(int status) {
    String message = "The backend did not accept initialize: status=" + status + ".";
    boolean final4xx = status / 100 == 4 && status != 404 && status != 408 && status != 429;
    return final4xx ? LinkFailure.refused(message) : LinkFailure.unavailable(message);
  }

  private static LinkFailure rejected(Envelope answer) {
    byte[] bytes = answer.bytes();
    String code =
        Json.member(bytes, answer.error().orElseThrow(), "code")
            .map(span -> new String(Json.copy(bytes, span), UTF_8))
            .orElse("none");
    return LinkFailure.refused("The backend refused initialize: code=" + code + ".");
  }

  private Future<Opened> confirm(Opened opened) {
    Outgoing outgoing = Outgoing.post(opened.session(), Map.of(), Notices.initialized(), false);
    return Roundtrip.send(transport, outgoing, Optional.empty(), transport.timing().handshake())
        .recover(cause -> Future.failedFuture(unreachable(cause)))
        .map(
            reply -> {
              if (!reply.isSuccess()) {
                throw refusal(reply.status());
              }
              return opened;
            })
        .onFailure(failure -> forget(opened.session()));
  }

  /** Ends a session that nobody will use; whether the server hears of it makes no difference. */
  void forget(Session session) {
    if (session.hasId()) {
      Duration limit = transport.timing().close();
      Roundtrip.send(transport, Outgoing.delete(session), Optional.empty(), limit);
    }
  }

  private static String text(byte[] object, String name) {
    return Json.member(object, new Span(0, object.length), name)
        .flatMap(span -> Json.string(object, span))
        .orElse("");
  }

  private static boolean isVisibleAscii(String id) {
    return !id.isEmpty()
        && id.length() <= MAX_SESSION_ID
        && id.chars().allMatch(c -> c > 0x20 && c < 0x7f);
  }
}
