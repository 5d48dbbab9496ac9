package io.fairlead.gateway.session;

import io.fairlead.gateway.auth.Principal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Sessions that wait for the same kind of end, the longest waiting first.
 *
 * <p>Thread: owner loop. Owner: {@link Sessions}.
 */
final class WaitingSessions {
  private final Map<Session, Long> sinceNanos = new LinkedHashMap<>();

  /** Adds a session behind the others. */
  void add(Session session, long nanos) {
    sinceNanos.put(session, nanos);
  }

  void remove(Session session) {
    sinceNanos.remove(session);
  }

  /** The one that waits longest. */
  Optional<Session> first() {
    return sinceNanos.keySet().stream().findFirst();
  }

  /** The one of {@code principal} that waits longest. */
  Optional<Session> firstOf(Principal principal) {
    return sinceNanos.keySet().stream()
        .filter(session -> session.principal().equals(principal))
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
