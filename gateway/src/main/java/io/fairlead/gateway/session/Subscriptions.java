package io.fairlead.gateway.session;

import io.fairlead.gateway.route.ListKind;
import io.fairlead.gateway.route.Route;
import io.fairlead.gateway.route.View;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeEdit;
import io.fairlead.wire.Json;
import io.fairlead.wire.Methods;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What resources one session asked to be told of, by backend, under the URIs that the backends
 * know.
 *
 * <p>Thread: owner loop. Owner: {@link Session}.
 */
final class Subscriptions {
  private final Map<String, Set<String>> uris = new HashMap<>(0);

  /** Notes a request that subscribes or unsubscribes; any other is ignored. */
  void heed(Route.Forward route) {
    String method = route.request().method();
    if (method.equals(Methods.RESOURCES_SUBSCRIBE)) {
      route
          .request()
          .name()
          .ifPresent(
              uri -> uris.computeIfAbsent(route.backend(), backend -> new HashSet<>()).add(uri));
    } else if (method.equals(Methods.RESOURCES_UNSUBSCRIBE)) {
      Set<String> known = uris.getOrDefault(route.backend(), Set.of());
      route.request().name().ifPresent(known::remove);
      if (known.isEmpty()) {
        uris.remove(route.backend());
      }
    }
  }

  /** Whether news from {@code backend} are wanted; they may be of a part of what was asked for. */
  boolean wants(String backend) {
    return uris.containsKey(backend);
  }

  /** The notification with the URI that this session's client knows. */
  static byte[] toClient(View view, String backend, Envelope updated) {
    return updated
        .name()
        .flatMap(uri -> view.clientName(ListKind.RESOURCES, backend, uri))
        .filter(uri -> !uri.equals(updated.name().orElseThrow()))
        .map(
            uri ->
                EnvelopeEdit.of(updated.bytes())
                    .replace(updated.nameSpan().orElseThrow(), Json.quote(uri))
                    .bytes())
        .orElse(updated.bytes());
  }
}
