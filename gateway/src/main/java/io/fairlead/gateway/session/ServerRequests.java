package io.fairlead.gateway.session;

import io.fairlead.gateway.backend.Link;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeEdit;
import io.fairlead.wire.Json;
import io.fairlead.wire.RpcError;
import io.fairlead.wire.RpcId;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The requests that backends sent to this session's client and that it has not answered yet. Each
 * gets an id of the session's own, so that two backends' ids never meet.
 *
 * <p>Thread: owner loop. Owner: {@link Session}.
 */
final class ServerRequests {
  /** More than any client keeps open at once; the oldest is refused to its backend. */
  private static final int MAX = 256;

  /** What is kept of a request, which may be large. */
  private record Open(Link link, Optional<RpcId> id, Optional<String> token) {}

  private final Map<RpcId, Open> open = new LinkedHashMap<>();
  private long last;

  /** The request as the client is to see it. */
  byte[] toClient(Link link, Envelope request) {
    if (open.size() == MAX) {
      Iterator<Open> oldest = open.values().iterator();
      refuse(oldest.next(), "overloaded", "the client has too many unanswered requests");
      oldest.remove();
    }
    RpcId id = RpcId.of(++last);
    open.put(id, new Open(link, request.id(), tokenText(request)));
    return EnvelopeEdit.of(request.bytes())
        .replace(request.idSpan().orElseThrow(), id.json())
        .bytes();
  }

  /** Hands the client's answer to the backend that asked. False if nobody asked. */
  boolean answer(Envelope response) {
    Optional<Open> asked = response.id().map(open::remove);
    asked.ifPresent(
        found ->
            found.link.answer(
                EnvelopeEdit.of(response.bytes())
                    .replace(response.idSpan().orElseThrow(), found.id.orElseThrow().json())
                    .bytes()));
    return asked.isPresent();
  }

  /** A backend withdraws a request: the notice as the client is to see it, if it was still open. */
  Optional<byte[]> withdraw(Link link, Envelope cancelled) {
    Optional<RpcId> theirs = cancelled.cancelledId().map(s -> RpcId.copyOf(cancelled.bytes(), s));
    for (Map.Entry<RpcId, Open> entry : open.entrySet()) {
      Open asked = entry.getValue();
      if (asked.link == link && asked.id.equals(theirs)) {
        open.remove(entry.getKey());
        return Optional.of(
            EnvelopeEdit.of(cancelled.bytes())
                .replace(cancelled.cancelledId().orElseThrow(), entry.getKey().json())
                .bytes());
      }
    }
    return Optional.empty();
  }

  /** The link whose request carries the progress token of a client's progress notification. */
  Optional<Link> linkOfToken(Envelope progress) {
    Optional<String> token = tokenText(progress);
    return open.values().stream()
        .filter(asked -> token.isPresent() && asked.token.equals(token))
        .map(Open::link)
        .findFirst();
  }

  /** The client is gone: each backend that still waits is told so. */
  void close() {
    open.values().forEach(asked -> refuse(asked, "session_closed", "the client's session ended"));
    open.clear();
  }

  /** A link is gone: nobody waits for its answers. */
  void forget(Link link) {
    open.values().removeIf(asked -> asked.link == link);
  }

  private static void refuse(Open asked, String reason, String text) {
    asked.link.answer(RpcError.of(RpcError.INTERNAL, reason, text).toMessage(asked.id));
  }

  private static Optional<String> tokenText(Envelope message) {
    return message
        .progressToken()
        .map(
            span ->
                new String(
                    Json.copy(message.bytes(), span), java.nio.charset.StandardCharsets.UTF_8));
  }
}
