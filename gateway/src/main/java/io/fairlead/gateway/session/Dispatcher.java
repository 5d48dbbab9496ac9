package io.fairlead.gateway.session;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.backend.BackendFailure;
import io.fairlead.gateway.backend.Link;
import io.fairlead.gateway.route.Answers;
import io.fairlead.gateway.route.ListKind;
import io.fairlead.gateway.route.Route;
import io.fairlead.gateway.route.View;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.Json;
import io.fairlead.wire.RpcError;
import java.util.Optional;

/**
 * Brings one session's calls on their way: answers what the gateway knows, opens the link that a
 * call needs, and hands the call to it.
 *
 * <p>Thread: owner loop. Owner: {@link Session}.
 */
final class Dispatcher {
  private static final RpcError TOO_MANY =
      RpcError.of(
          RpcError.INTERNAL,
          "overloaded",
          "There is no room for this subscription; end some first, or try again later.");

  private static final RpcError NO_SESSION =
      RpcError.of(
          RpcError.METHOD_NOT_FOUND,
          "stateless",
          "Nobody can subscribe: the gateway runs with sessions.mode=stateless.");

  private final Services services;
  private final Session session;
  private final Links links;

  Dispatcher(Services services, Session session, Links links) {
    this.services = services;
    this.session = session;
    this.links = links;
  }

  /** Nothing of {@code request} is kept here or in the call once it was handed over. */
  void dispatch(Call call, Envelope request, Principal asker) {
    Optional<View> view = session.view();
    if (view.isEmpty()) {
      call.lost(notDispatched("backend_unavailable", "This backend is no longer configured."));
      return;
    }
    Route route = services.router().route(links.view(view.get()), request);
    route.fold(
        local -> answer(call, local.result()),
        listed -> list(call, listed.kind()),
        forward -> forward(call, forward, asker),
        chosen -> level(call, chosen.level()),
        refused -> refuse(call, refused.error()));
  }

  /** If {@code message} says that a list has changed: the shared catalog may have to follow. */
  void listChanged(String backend, Envelope message) {
    for (ListKind kind : ListKind.changedBy(message.method())) {
      links.stale(backend, kind);
      services.catalog().stale(backend, kind);
    }
  }

  private Void answer(Call call, byte[] result) {
    call.answerLocally(Json.result(call.id(), result));
    return null;
  }

  private Void refuse(Call call, RpcError error) {
    call.answerLocally(Answers.error(call.id(), error));
    return null;
  }

  private Void list(Call call, ListKind kind) {
    links
        .refresh(kind)
        .onComplete(
            done -> session.view().ifPresent(view -> answer(call, links.view(view).list(kind))));
    return null;
  }

  private Void forward(Call call, Route.Forward route, Principal asker) {
    if (session.id().isEmpty() && Subscriptions.concerns(route.request())) {
      // the link is everybody's, and would hold it for nobody
      return refuse(call, NO_SESSION);
    }
    call.destined(route);
    // the call keeps what it waits with, for a link may take long, and the call may end before
    links
        .link(route.backend())
        .onSuccess(link -> call.takeWaiting().ifPresent(taken -> send(call, taken, link, asker)))
        .onFailure(failure -> call.lost(unavailable(failure)));
    return null;
  }

  private void send(Call call, Route.Forward route, Link link, Principal asker) {
    if (session.settings().heed(route)) {
      call.dispatch(link, route.request(), asker);
    } else {
      services.metrics().refused("subscriptions");
      refuse(call, TOO_MANY);
    }
  }

  private Void level(Call call, String chosen) {
    session.settings().level(chosen, links.open());
    return answer(call, Answers.EMPTY);
  }

  private static Outcome unavailable(Throwable failure) {
    return failure instanceof BackendFailure known
        ? notDispatched(known.reason(), known.getMessage())
        : notDispatched("backend_unavailable", "The backend could not be reached.");
  }

  private static Outcome notDispatched(String reason, String text) {
    return new Outcome(
        Outcome.State.NOT_DISPATCHED,
        reason,
        (text.endsWith(".") ? text : text + ".") + " Nothing was run; it is safe to try again.");
  }
}
