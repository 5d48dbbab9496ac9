package io.fairlead.gateway.session;

import io.fairlead.gateway.route.ListKind;
import io.fairlead.gateway.route.Route;
import io.fairlead.gateway.route.View;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeEdit;
import io.fairlead.wire.Json;
import io.fairlead.wire.Methods;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What resources one session asked to be told of, by backend, under the URIs that the backends
 * know; bounded in number and in size, for one session and for all.
 *
 * <p>Thread: owner loop. Owner: {@link Settings}.
 */
final class Subscriptions {
  /** More than any client watches. */
  private static final int MAX_URIS = 1000;

  private static final int MAX_CHARS = 256 * 1024;

  /**
   * What a URI costs beside its characters; they are held twice, here and by the backend's link.
   */
  private static final int OVERHEAD = 200;

  private final HeldBytes budget;
  private final Map<String, Map<String, HeldBytes.Hold>> uris = new HashMap<>(0);
  private int count;
  private int chars;

  Subscriptions(HeldBytes budget) {
    this.budget = budget;
  }

  /**
   * Notes a request that subscribes or unsubscribes; any other is ignored.
   *
   * @return false if it asks for one more than there may be
   */
  boolean heed(Route.Forward route) {
    String method = route.request().method();
    String uri = route.request().name().orElse("");
    if (method.equals(Methods.RESOURCES_SUBSCRIBE)) {
      return add(route.backend(), uri);
    }
    if (method.equals(Methods.RESOURCES_UNSUBSCRIBE)) {
      remove(route.backend(), uri);
    }
    return true;
  }

  /** Whether a request subscribes or unsubscribes. */
  static boolean concerns(Envelope request) {
    return request.method().equals(Methods.RESOURCES_SUBSCRIBE)
        || request.method().equals(Methods.RESOURCES_UNSUBSCRIBE);
  }

  private boolean add(String backend, String uri) {
    if (of(backend).contains(uri)) {
      return true;
    }
    if (count == MAX_URIS || chars + uri.length() > MAX_CHARS) {
      return false;
    }
    int bytes = 2 * uri.length() + OVERHEAD;
    if (!budget.admits(bytes)) {
      return false;
    }
    uris.computeIfAbsent(backend, unused -> new LinkedHashMap<>()).put(uri, budget.hold(bytes));
    count++;
    chars += uri.length();
    return true;
  }

  private void remove(String backend, String uri) {
    Map<String, HeldBytes.Hold> known = uris.getOrDefault(backend, Map.of());
    if (known.containsKey(uri)) {
      known.remove(uri).release();
      count--;
      chars -= uri.length();
    }
    if (known.isEmpty()) {
      uris.remove(backend);
    }
  }

  /** The URIs at one backend. */
  Set<String> of(String backend) {
    return uris.getOrDefault(backend, Map.of()).keySet();
  }

  /** Whether news from {@code backend} are wanted; they may be of a part of what was asked for. */
  boolean wants(String backend) {
    return uris.containsKey(backend);
  }

  /** The session has ended. Idempotent. */
  void close() {
    uris.values().forEach(known -> known.values().forEach(HeldBytes.Hold::release));
    uris.clear();
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
