package io.fairlead.gateway.backend;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.Methods;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which of the links to one child subscribed to which resource. The child knows one client only, so
 * it must not hear that one of them unsubscribes while others go on.
 *
 * <p>Thread: owner loop. Owner: {@link StdioChild}.
 */
final class SharedSubscriptions {
  private final Map<String, Set<StdioLink>> linksByUri = new HashMap<>(0);

  /**
   * Notes what a request of {@code link} subscribes to or unsubscribes from.
   *
   * @return whether it unsubscribes from what another link wants
   */
  boolean keeps(StdioLink link, Envelope request) {
    if (request.name().isEmpty()) {
      return false;
    }
    String uri = request.name().get();
    if (request.method().equals(Methods.RESOURCES_SUBSCRIBE)) {
      linksByUri.computeIfAbsent(uri, unused -> new HashSet<>()).add(link);
      return false;
    }
    if (!request.method().equals(Methods.RESOURCES_UNSUBSCRIBE)) {
      return false;
    }
    linksByUri.computeIfPresent(uri, (known, links) -> without(link, links));
    return linksByUri.containsKey(uri);
  }

  private static Set<StdioLink> without(StdioLink link, Set<StdioLink> links) {
    links.remove(link);
    return links.isEmpty() ? null : links;
  }

  /** The links that subscribed to {@code uri}, or to what it is a part of. */
  Set<StdioLink> to(String uri) {
    Set<StdioLink> links = new HashSet<>();
    linksByUri.forEach(
        (subscribed, those) -> {
          if (isPart(uri, subscribed)) {
            links.addAll(those);
          }
        });
    return links;
  }

  private static boolean isPart(String uri, String whole) {
    return uri.startsWith(whole)
        && (uri.length() == whole.length()
            || whole.endsWith("/")
            || "/?#".indexOf(uri.charAt(whole.length())) >= 0);
  }

  /** A link is gone. */
  void forget(StdioLink link) {
    linksByUri.values().forEach(links -> links.remove(link));
    linksByUri.values().removeIf(Set::isEmpty);
  }
}
