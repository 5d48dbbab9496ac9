package io.fairlead.gateway.session;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.config.SessionsConfig;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All sessions: their creation within the limits, their lookup, and their ends.
 *
 * <p>A session with presence (an open response) waits in no queue. Without presence it waits among
 * the idle, or among the abandoned while calls of its run; a new one also among the unconfirmed.
 * All of a queue wait equally long, so its head is always the next to expire and nothing is
 * scanned.
 *
 * <p>Thread: owner loop. Owner: the gateway verticle.
 */
public final class Sessions implements Session.Lifecycle {
  private static final int ID_BYTES = 20;
  private static final Duration MAX_SWEEP = Duration.ofSeconds(1);

  private final Services services;
  private final Map<String, Backend> backends;
  private final SecureRandom random = new SecureRandom();

  /** The oldest first. */
  private final Map<String, Session> byId = new LinkedHashMap<>();

  /** Exchanges of the stateless mode whose calls run. */
  private final Set<Session> exchanges = new HashSet<>();

  private final Map<Principal, Integer> byPrincipal = new HashMap<>();
  private final WaitingSessions idle = new WaitingSessions();
  private final WaitingSessions abandoned = new WaitingSessions();
  private final WaitingSessions unconfirmed = new WaitingSessions();
  private OwnerLoop.Timer sweep;
  private int handshakes;

  public Sessions(Services services, Map<String, Backend> backends) {
    this.services = services;
    this.backends = backends;
    this.sweep = services.loop().every(sweepPeriod(), this::expire);
  }

  /** The configuration that holds has changed. */
  public void configured() {
    sweep.cancel();
    sweep = services.loop().every(sweepPeriod(), this::expire);
  }

  /** {@code backend} was removed or replaced: what still runs there is left to the caller. */
  public Retirement retire(Backend backend) {
    List<Session> all = new ArrayList<>(byId.values());
    all.addAll(exchanges);
    return new Retirement(backend, all);
  }

  private SessionsConfig config() {
    return services.config().sessions();
  }

  private Duration sweepPeriod() {
    Duration shortest = config().idleTimeout();
    List<Duration> others = new ArrayList<>();
    others.add(config().abandonTimeout());
    others.add(config().initializedTimeout());
    config().maxAge().ifPresent(others::add);
    for (Duration other : others) {
      shortest = other.compareTo(shortest) < 0 ? other : shortest;
    }
    Duration quarter = shortest.dividedBy(4);
    return quarter.compareTo(MAX_SWEEP) < 0 ? quarter : MAX_SWEEP;
  }

  /** Whether one more handshake may be in progress; then it is, until {@link #endHandshake}. */
  public boolean beginHandshake() {
    if (handshakes >= config().maxPendingHandshakes()) {
      return false;
    }
    handshakes++;
    return true;
  }

  public void endHandshake() {
    handshakes--;
  }

  /**
   * Opens a session if there is room, or room can be made by ending the one that was idle longest:
   * of the same principal if that is at its own limit, and for the memory one that holds as much.
   * So a newcomer costs one session at most, however much it holds, and at its principal's own
   * limit never another's.
   *
   * @return the session, or the name of the limit that is reached
   */
  public Admission open(Session.Start start) {
    Principal principal = start.principal();
    int told = start.initializeParams().length;
    boolean fits = services.tally().sessionBytes().admits(told);
    int ownLimit = config().maxPerPrincipal();
    if (ownLimit > 0 && byPrincipal.getOrDefault(principal, 0) >= ownLimit) {
      if (!evict(idle.firstOf(principal, fits ? 0 : told))) {
        return new Admission.Full("sessions.max-per-principal");
      }
    } else if (!fits) {
      if (!evict(idle.firstHolding(told))) {
        return new Admission.Full("session_bytes");
      }
    } else if (byId.size() >= config().max() && !evict(idle.first())) {
      return new Admission.Full("sessions.max");
    }
    Session session = new Session(services, backends, this, start, newId());
    byId.put(session.id(), session);
    byPrincipal.merge(principal, 1, Integer::sum);
    unconfirmed.add(session, System.nanoTime());
    settle(session);
    services.metrics().sessionCreated();
    return new Admission.Opened(session);
  }

  private boolean evict(Optional<Session> candidate) {
    if (!config().evictIdle() || candidate.isEmpty()) {
      return false;
    }
    close(candidate.get(), "evicted");
    return true;
  }

  /** A session for one exchange of the stateless mode; nothing of it is kept. */
  public Session exchange(Session.Start start) {
    return new Session(services, backends, this, start, "");
  }

  /** The session, if it is there, is this principal's, and was opened at this endpoint. */
  public Optional<Session> find(String id, Principal principal, String endpoint) {
    return Optional.ofNullable(byId.get(id))
        .filter(found -> found.principal().equals(principal))
        .filter(found -> found.endpoint().equals(endpoint));
  }

  /** The client goes on to use its session, so it has got its answer. */
  public void confirm(Session session) {
    unconfirmed.remove(session);
    settle(session);
  }

  @Override
  public void settle(Session session) {
    if (session.isClosed()) {
      return;
    }
    if (session.id().isEmpty()) {
      settleExchange(session);
      return;
    }
    if (session.isOutdated()) {
      // in a later turn: in this one the last answer may still be on its way to its stream
      services.loop().execute(() -> endOutdated(session));
    }
    idle.remove(session);
    abandoned.remove(session);
    if (!session.hasPresence()) {
      (session.hasWork() ? abandoned : idle).add(session, System.nanoTime());
    }
  }

  private void settleExchange(Session exchange) {
    abandoned.remove(exchange);
    if (exchange.hasPresence()) {
      exchanges.add(exchange);
    } else if (exchange.hasWork()) {
      abandoned.add(exchange, System.nanoTime());
    } else {
      exchanges.remove(exchange);
    }
  }

  /** Ends those whose time has come; called from time to time. */
  public void expire() {
    long now = System.nanoTime();
    services.store().expire();
    expire(unconfirmed, config().initializedTimeout(), now, "unconfirmed");
    expire(idle, config().idleTimeout(), now, "idle");
    expire(abandoned, config().abandonTimeout(), now, "abandoned");
    config().maxAge().ifPresent(max -> outdate(now - max.toNanos()));
  }

  /** Those that were opened at {@code nanos} or before are too old, whatever they do. */
  private void outdate(long nanos) {
    List<Session> old = new ArrayList<>();
    for (Session session : byId.values()) {
      if (session.openedNanos() - nanos > 0) {
        break;
      }
      old.add(session);
    }
    old.forEach(Session::outdate);
    old.forEach(this::endOutdated);
  }

  private void endOutdated(Session session) {
    if (!session.isClosed() && !session.isInUse()) {
      close(session, "max_age");
    }
  }

  private void expire(WaitingSessions waiting, Duration timeout, long now, String reason) {
    Optional<Session> due = waiting.firstSince(now - timeout.toNanos());
    while (due.isPresent()) {
      close(due.get(), reason);
      due = waiting.firstSince(now - timeout.toNanos());
    }
  }

  /** Ends a session. Idempotent; the future completes when its backends were told. */
  public Future<Void> close(Session session, String reason) {
    idle.remove(session);
    abandoned.remove(session);
    unconfirmed.remove(session);
    exchanges.remove(session);
    if (byId.remove(session.id(), session)) {
      byPrincipal.computeIfPresent(
          session.principal(), (principal, count) -> count == 1 ? null : count - 1);
      services.metrics().sessionClosed(reason);
    }
    return session.close(reason);
  }

  /** Every session, for what all are to hear. */
  public Collection<Session> all() {
    return List.copyOf(byId.values());
  }

  /** Answers every call that still runs, so that its client does not wait for nothing. */
  public void abortCalls(Outcome outcome) {
    all().forEach(session -> session.abortCalls(outcome));
    List.copyOf(exchanges).forEach(exchange -> exchange.abortCalls(outcome));
  }

  /** Ends all sessions; completes when their backends were told. */
  public Future<Void> closeAll(String reason) {
    sweep.cancel();
    List<Future<?>> closing = new ArrayList<>();
    all().forEach(session -> closing.add(close(session, reason)));
    return Future.join(closing).otherwiseEmpty().mapEmpty();
  }

  public int size() {
    return byId.size();
  }

  public int handshakes() {
    return handshakes;
  }

  private String newId() {
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
