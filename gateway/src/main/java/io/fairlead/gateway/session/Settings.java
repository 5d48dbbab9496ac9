package io.fairlead.gateway.session;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.backend.CallListener;
import io.fairlead.gateway.backend.Link;
import io.fairlead.gateway.route.Answers;
import io.fairlead.gateway.route.Route;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.Json;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.Methods;
import io.fairlead.wire.Span;
import java.nio.charset.StandardCharsets;
import java.util.Collection;

/**
 * What one session's client has set at its backends: the logging level, and what it subscribed to.
 * A link that begins anew is told again, so that a backend's restart does not undo it.
 *
 * <p>Thread: owner loop. Owner: {@link Session}.
 */
final class Settings {
  private final Services services;
  private final Session session;
  private final Subscriptions subscriptions;

  /** The logging level that the client asked for; empty before it did. */
  private String level = "";

  Settings(Services services, Session session) {
    this.services = services;
    this.session = session;
    this.subscriptions = new Subscriptions(services.tally().sessionBytes());
  }

  /** The client chose a logging level. */
  void level(String chosen, Collection<Link> open) {
    level = chosen;
    open.forEach(this::tellLevel);
  }

  /** Notes what a request that is about to be dispatched sets; false if that is too much. */
  boolean heed(Route.Forward route) {
    return subscriptions.heed(route);
  }

  /** The session has ended. Idempotent. */
  void close() {
    subscriptions.close();
  }

  /** Whether the client subscribed to something at {@code backend}. */
  boolean subscribes(String backend) {
    return subscriptions.wants(backend);
  }

  /** Tells a link to {@code backend} that has just begun, or begun anew. */
  void restore(String backend, Link link) {
    if (!level.isEmpty()) {
      tellLevel(link);
    }
    for (String uri : subscriptions.of(backend)) {
      String quoted = new String(Json.quote(uri), StandardCharsets.UTF_8);
      send(link, Methods.RESOURCES_SUBSCRIBE, "{\"uri\":" + quoted + "}");
    }
  }

  private void tellLevel(Link link) {
    byte[] result = link.initializeResult();
    boolean logs =
        Json.member(result, new Span(0, result.length), "capabilities")
            .flatMap(capabilities -> Json.member(result, capabilities, "logging"))
            .isPresent();
    if (logs) {
      send(link, Methods.SET_LEVEL, "{\"level\":\"" + level + "\"}");
    }
  }

  private void send(Link link, String method, String params) {
    link.call(read(Answers.request(method, params)), session.principal(), IGNORED);
  }

  private Envelope read(byte[] own) {
    try {
      return services.reader().read(own);
    } catch (MalformedMessage impossible) {
      throw new IllegalStateException("the gateway's own request is malformed", impossible);
    }
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
