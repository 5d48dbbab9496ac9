package io.fairlead.gateway.session;

import io.fairlead.gateway.auth.Principal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Sessions that wait for the same kind of end, the longest waiting first.
 *
 * <p>Thread: owner loop. Owner: {@link Sessions}.
 */
final class WaitingSessions {
  private final Map<Session, Long> sinceNanos = new LinkedHashMap<>();

  /** The same order, for each principal by itself: it is never scanned for one of them. */
  private final Map<Principal, Set<Session>> byPrincipal = new HashMap<>();

  /** Adds a session, which does not wait yet, behind the others. */
  void add(Session session, long nanos) {
    sinceNanos.put(session, nanos);
    byPrincipal
        .computeIfAbsent(session.principal(), principal -> new LinkedHashSet<>())
        .add(session);
  }

  void remove(Session session) {
    if (sinceNanos.remove(session) != null) {
      byPrincipal.computeIfPresent(
          session.principal(),
          (principal, own) -> {
            own.remove(session);
            return own.isEmpty() ? null : own;
          });
    }
  }

  /** The one that waits longest. */
  Optional<Session> first() {
    return sinceNanos.keySet().stream().findFirst();
  }

  /** The one of {@code principal} that waits longest of those that hold {@code bytes} or more. */
  Optional<Session> firstOf(Principal principal, int bytes) {
    return byPrincipal.getOrDefault(principal, Set.of()).stream()
        .filter(session -> session.initializeParams().length >= bytes)
        .findFirst();
  }

  /** The one that waits longest of those that hold {@code bytes} or more; scans. */
  Optional<Session> firstHolding(int bytes) {
    return sinceNanos.keySet().stream()
        .filter(session -> session.initializeParams().length >= bytes)
        .findFirst();
  }

  /** The one that waits longest, if it has waited since {@code nanos} or before. */
  Optional<Session> firstSince(long nanos) {
    return sinceNanos.entrySet().stream()
        .findFirst()
        .filter(entry -> entry.getValue() - nanos <= 0)
        .map(Map.Entry::getKey);
  }
}
