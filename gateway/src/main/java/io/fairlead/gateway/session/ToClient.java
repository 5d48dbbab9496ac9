package io.fairlead.gateway.session;

import io.fairlead.gateway.backend.Link;
import io.fairlead.gateway.route.Answers;
import io.fairlead.store.EventKind;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.Json;
import io.fairlead.wire.Methods;
import io.fairlead.wire.RpcError;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what backends say of their own accord onto the stream where one session's client reads it.
 *
 * <p>Thread: owner loop. Owner: {@link Session}.
 */
final class ToClient {
  private static final Logger LOG = LoggerFactory.getLogger(ToClient.class);

  private final Session session;
  private final Streams streams;
  private final ServerRequests asked;

  ToClient(Session session, Streams streams, ServerRequests asked) {
    this.session = session;
    this.streams = streams;
    this.asked = asked;
  }

  /** A message that its link could not give to a call. */
  void outsideCalls(String backend, Link link, Envelope message) {
    Optional<Call> related =
        message.kind() == Envelope.Kind.REQUEST ? session.latestCallAt(backend) : Optional.empty();
    if (related.isPresent()) {
      deliver(backend, link, message, related.get().stream());
    } else if (message.kind() == Envelope.Kind.REQUEST) {
      ask(link, message, Optional.empty());
    } else {
      streams.ifStandalone().ifPresent(stream -> deliver(backend, link, message, stream));
    }
  }

  /** A message that belongs to a call whose connection carries it. */
  void inCall(Call call, Link link, Envelope message) {
    if (message.kind() == Envelope.Kind.REQUEST && !call.askable()) {
      ask(link, message, Optional.empty());
    } else {
      deliver(call.backend(), link, message, call.stream());
    }
  }

  private void deliver(String backend, Link link, Envelope message, RequestStream stream) {
    if (message.kind() == Envelope.Kind.REQUEST) {
      ask(link, message, Optional.of(stream));
    } else if (message.lacksId()) {
      LOG.debug("backend={} sent a request without an id", backend);
    } else {
      notify(backend, link, message, stream);
    }
  }

  private void notify(String backend, Link link, Envelope message, RequestStream stream) {
    switch (message.method()) {
      case Methods.CANCELLED ->
          asked
              .withdraw(link, message)
              .ifPresent(notice -> stream.append(EventKind.NOTIFICATION, notice));
      case Methods.RESOURCES_UPDATED -> {
        if (session.settings().subscribes(backend)) {
          session
              .view()
              .map(view -> Subscriptions.toClient(view, backend, message))
              .ifPresent(news -> stream.append(EventKind.NOTIFICATION, news));
        }
      }
      case Methods.TOOLS_CHANGED, Methods.PROMPTS_CHANGED, Methods.RESOURCES_CHANGED -> {
        if (streams.ifStandalone().isPresent()) {
          session.listsChanged(List.of(message.method()));
        } else {
          stream.append(EventKind.NOTIFICATION, message.bytes());
        }
      }
      default -> stream.append(EventKind.NOTIFICATION, message.bytes());
    }
  }

  /**
   * Asks the client, on a stream that it reads or will read; in stateless mode nobody can answer.
   */
  private void ask(Link link, Envelope request, Optional<RequestStream> chosen) {
    if (session.id().isEmpty()) {
      link.answer(
          Answers.error(
              request.id().orElseThrow(),
              RpcError.of(
                  RpcError.METHOD_NOT_FOUND,
                  "stateless",
                  "the client cannot be asked: the gateway runs with sessions.mode=stateless")));
      return;
    }
    RequestStream stream =
        chosen
            .filter(RequestStream::isReachable)
            .or(streams::ifStandalone)
            .orElseGet(streams::standalone);
    if (request.method().equals(Methods.PING) && !stream.isAttached()) {
      link.answer(Json.result(request.id().orElseThrow(), Answers.EMPTY));
    } else {
      stream.append(EventKind.REQUEST, asked.toClient(link, request));
    }
  }
}
