package io.fairlead.gateway.route;

import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What the gateway announces for its backends: what any of them can do, and no more. */
final class Capabilities {
  private static final List<String> LISTS = List.of("tools", "prompts", "resources");
  private static final List<String> PLAIN = List.of("logging", "completions");

  private Capabilities() {}

  /**
   * The capabilities of several backends, merged. Every list may change, because a backend may come
   * up or go. A backend that was never reached may turn out to offer any list, so all of them are
   * announced while there is one: a client that was told of no tools would never ask for them.
   */
  static JsonObject merge(Collection<Optional<Handshake>> handshakes) {
    JsonObject merged = new JsonObject();
    boolean anyUnknown = handshakes.stream().anyMatch(Optional::isEmpty);
    for (String list : LISTS) {
      if (anyUnknown || has(handshakes, list)) {
        merged.put(list, new JsonObject().put("listChanged", true));
      }
    }
    if (handshakes.stream().flatMap(Optional::stream).anyMatch(Capabilities::subscribes)) {
      merged.getJsonObject("resources").put("subscribe", true);
    }
    for (String plain : PLAIN) {
      if (has(handshakes, plain)) {
        merged.put(plain, new JsonObject());
      }
    }
    return merged;
  }

  private static boolean has(Collection<Optional<Handshake>> handshakes, String name) {
    return handshakes.stream()
        .flatMap(Optional::stream)
        .anyMatch(handshake -> handshake.capability(name).isPresent());
  }

  private static boolean subscribes(Handshake handshake) {
    return handshake
        .capability("resources")
        .map(resources -> Boolean.TRUE.equals(resources.getValue("subscribe")))
        .orElse(false);
  }
}
