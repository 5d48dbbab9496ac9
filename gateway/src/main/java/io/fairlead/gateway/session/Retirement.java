package io.fairlead.gateway.session;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.backend.Backend;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * What sessions still do with a backend that was removed or replaced: the calls that run there, and
 * the links that carry them. No call joins them.
 *
 * <p>Thread: owner loop. Owner: the gateway verticle.
 */
public final class Retirement {
  private final Backend backend;
  private final List<Session> sessions;
  private final List<Call> calls = new ArrayList<>();

  Retirement(Backend backend, List<Session> sessions) {
    this.backend = backend;
    this.sessions = sessions;
    sessions.forEach(session -> calls.addAll(session.retire(backend.name())));
  }

  public Backend backend() {
    return backend;
  }

  /** Whether the last call has ended. */
  public boolean isOver() {
    calls.removeIf(Call::isDone);
    return calls.isEmpty();
  }

  /** Answers the calls that still run, and closes the sessions' links. Idempotent. */
  public Future<Void> end() {
    calls.forEach(Retirement::abort);
    calls.clear();
    List<Future<Void>> closing = sessions.stream().map(one -> one.release(backend)).toList();
    return Future.join(closing).otherwiseEmpty().mapEmpty();
  }

  private static void abort(Call call) {
    String what =
        "The backend was removed from the configuration, or configured differently, and its time to"
            + " finish was over.";
    if (call.isDispatched()) {
      call.abort(Outcome.unknown("backend_removed", what));
    } else {
      call.lost(Outcome.notDispatched("backend_removed", what));
    }
  }
}
