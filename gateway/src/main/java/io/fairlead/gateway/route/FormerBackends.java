package io.fairlead.gateway.route;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The backends that were configured before and are not any more, with their prefixes: the latest
 * {@value #MAX}. Clients may still know their names.
 *
 * <p>Thread: owner loop. Owner: the {@link Catalog}.
 */
final class FormerBackends {
  static final int MAX = 64;

  private final Map<String, String> prefixes = new LinkedHashMap<>();

  void add(String backend, String prefix) {
    prefixes.remove(backend);
    prefixes.put(backend, prefix);
    if (prefixes.size() > MAX) {
      prefixes.remove(prefixes.keySet().iterator().next());
    }
  }

  void remove(String backend) {
    prefixes.remove(backend);
  }

  boolean contains(String backend) {
    return prefixes.containsKey(backend);
  }

  /** Where a tool's or prompt's name led when its backend was there. */
  Optional<Target> find(String name) {
    return prefixes.isEmpty() ? Optional.empty() : new Naming(prefixes).byPrefix(name);
  }
}
