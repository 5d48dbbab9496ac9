package io.fairlead.gateway.session;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.backend.BackendFailure;
import io.fairlead.gateway.backend.CallListener;
import io.fairlead.gateway.backend.Link;
import io.fairlead.gateway.route.Answers;
import io.fairlead.gateway.route.ListKind;
import io.fairlead.gateway.route.Route;
import io.fairlead.gateway.route.View;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.Json;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.Methods;
import io.fairlead.wire.RpcError;
import io.fairlead.wire.Span;
import java.util.Optional;

/**
 * Brings one session's calls on their way: answers what the gateway knows, opens the link that a
 * call needs, and hands the call to it.
 *
 * <p>Thread: owner loop. Owner: {@link Session}.
 */
final class Dispatcher {
  private final Services services;
  private final Session session;
  private final Links links;

  /** The logging level that the client asked for; empty before it did. */
  private String level = "";

  Dispatcher(Services services, Session session, Links links) {
    this.services = services;
    this.session = session;
    this.links = links;
  }

  void dispatch(Call call, Principal asker) {
    Optional<View> view = session.view();
    if (view.isEmpty()) {
      call.lost(notDispatched("backend_unavailable", "This backend is no longer configured."));
      return;
    }
    Route route = services.router().route(ownView(view.get()), call.request());
    route.fold(
        local -> answer(call, local.result()),
        listed -> list(call, listed.kind()),
        forward -> forward(call, forward, asker),
        chosen -> level(call, chosen.level()),
        refused -> refuse(call, refused.error()));
  }

  /** A new link is told the logging level, if its backend logs. */
  void linkOpened(Link link) {
    if (!level.isEmpty()) {
      tellLevel(link);
    }
  }

  private View ownView(View shared) {
    View view = shared;
    for (ListKind kind : ListKind.values()) {
      if (!links.own(kind).isEmpty()) {
        view = view.with(kind, links.own(kind));
      }
    }
    return view;
  }

  private Void answer(Call call, byte[] result) {
    call.answerLocally(Answers.result(call.id(), result));
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
            done -> session.view().ifPresent(view -> answer(call, ownView(view).list(kind))));
    return null;
  }

  private Void forward(Call call, Route.Forward route, Principal asker) {
    call.destined(route.backend());
    session.subscriptions().heed(route);
    links
        .link(route.backend())
        .onSuccess(link -> call.dispatch(link, route.request(), asker))
        .onFailure(failure -> call.lost(unavailable(failure)));
    return null;
  }

  private Void level(Call call, String chosen) {
    level = chosen;
    links.open().forEach(this::tellLevel);
    return answer(call, Answers.EMPTY);
  }

  private void tellLevel(Link link) {
    byte[] result = link.initializeResult();
    boolean logs =
        Json.member(result, new Span(0, result.length), "capabilities")
            .flatMap(capabilities -> Json.member(result, capabilities, "logging"))
            .isPresent();
    if (logs) {
      byte[] request = Answers.request(Methods.SET_LEVEL, "{\"level\":\"" + level + "\"}");
      link.call(read(request), session.principal(), IGNORED);
    }
  }

  private Envelope read(byte[] own) {
    try {
      return services.reader().read(own);
    } catch (MalformedMessage impossible) {
      throw new IllegalStateException("the gateway's own request is malformed", impossible);
    }
  }

  private static Outcome unavailable(Throwable failure) {
    return failure instanceof BackendFailure known
        ? notDispatched(known.reason(), known.getMessage())
        : notDispatched("backend_unavailable", "The backend could not be reached.");
  }

  private static Outcome notDispatched(String reason, String text) {
    return new Outcome(
        Outcome.State.NOT_DISPATCHED, reason, text + " Nothing was run; it is safe to try again.");
  }

  /** For requests of the gateway's own whose answers change nothing. */
  private static final CallListener IGNORED =
      new CallListener() {
        @Override
        public void message(Envelope message) {}

        @Override
        public void answer(Envelope response) {}

        @Override
        public void lost(Outcome outcome) {}
      };
}
