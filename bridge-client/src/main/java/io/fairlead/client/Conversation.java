package io.fairlead.client;

import io.fairlead.wire.RpcId;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The current session with a server. In doubt (a stream ended, a connection was refused) it proves
 * the session with a ping before the next call, and renews it once for everybody who waits.
 *
 * <p>Thread: owner loop. Owner: {@link HttpLink}.
 */
final class Conversation {
  /** Told on the owner loop. */
  interface Listener {
    /** The server is gone, or does not know {@code session} any more: its streams cannot resume. */
    void lost(Session session, String what);

    /** A new session took the place of the old one. */
    void renewed(Session session, byte[] initializeResult);

    /** The server refuses a new session. Terminal. */
    void refused(LinkFailure failure);
  }

  private final HttpTransport transport;
  private final Handshake handshake;
  private final Listener listener;
  private final Thread owner = Thread.currentThread();
  private Session session;
  private boolean doubted;
  private boolean absent;
  private boolean closed;
  private long pings;
  private Optional<Future<Session>> proof = Optional.empty();
  private Optional<Future<Session>> renewal = Optional.empty();

  Conversation(HttpTransport transport, Handshake handshake, Session session, Listener listener) {
    this.transport = transport;
    this.handshake = handshake;
    this.session = session;
    this.listener = listener;
  }

  void assertOwner() {
    assert Thread.currentThread() == owner : "not on the loop that opened the link";
  }

  Session session() {
    return session;
  }

  /**
   * The session to send a call on.
   *
   * @return fails with a {@link LinkFailure} in bounded time if there is none
   */
  Future<Session> ready() {
    if (closed) {
      return Future.failedFuture(LinkFailure.closed());
    }
    if (renewal.isPresent()) {
      return renewal.get();
    }
    return doubted ? prove(System.nanoTime()) : Future.succeededFuture(session);
  }

  /** The session has to be proven before the next call. */
  void doubt() {
    doubted = true;
  }

  /** Whether something on the way had no server for the last ping. */
  boolean isServerAbsent() {
    return absent;
  }

  /** The server just showed that it knows {@code known}. */
  void trust(Session known) {
    if (known == session) {
      doubted = false;
    }
  }

  /**
   * Pings the server, now and once for everybody who asks meanwhile.
   *
   * @param sinceNanos since when the server may have been gone
   */
  Future<Session> prove(long sinceNanos) {
    doubted = true;
    if (proof.isPresent()) {
      return proof.get();
    }
    Promise<Session> promise = Promise.promise();
    proof = Optional.of(promise.future());
    ping(session, sinceNanos, 1)
        .onComplete(
            done -> {
              proof = Optional.empty();
              promise.handle(done);
            });
    return promise.future();
  }

  private Future<Session> ping(Session asked, long sinceNanos, int attempt) {
    if (closed) {
      return Future.failedFuture(LinkFailure.closed());
    }
    RpcId id = RpcId.of("fairlead-ping-" + ++pings);
    Outgoing outgoing = Outgoing.post(asked, Map.of(), Notices.ping(id), false);
    return Roundtrip.send(transport, outgoing, Optional.of(id), transport.timing().probe())
        .compose(
            reply -> pinged(asked, reply), cause -> unanswered(asked, sinceNanos, attempt, cause));
  }

  private Future<Session> pinged(Session asked, Roundtrip.Reply reply) {
    absent = reply.status() == 502 || reply.status() == 504;
    boolean refused = reply.status() == 404 || reply.status() == 400;
    if (refused && asked.hasId() && reply.answer().filter(Answers::knowsNoMethod).isEmpty()) {
      return renew(asked);
    }
    if (reply.status() < 500) {
      trust(asked);
    }
    return Future.succeededFuture(session);
  }

  /** Only a refused connection is proof; a slow server is not a dead one. */
  private Future<Session> unanswered(Session asked, long sinceNanos, int attempt, Throwable cause) {
    absent = cause instanceof Unanswered;
    if (!Causes.isRefused(cause)) {
      return Future.succeededFuture(session);
    }
    long refusedNanos = System.nanoTime() - sinceNanos;
    if (attempt > 1 && refusedNanos >= transport.timing().refused().toNanos()) {
      listener.lost(asked, "The backend is gone (connection refused).");
      return Future.failedFuture(
          LinkFailure.unavailable("The backend cannot be reached (connection refused)."));
    }
    return transport
        .vertx()
        .timer(transport.timing().refused().toMillis() / 5, TimeUnit.MILLISECONDS)
        .compose(v -> ping(asked, sinceNanos, attempt + 1));
  }

  /**
   * Replaces {@code stale} by a new session, once for everybody who asks.
   *
   * @return fails with a {@link LinkFailure}; then the next {@link #ready} tries again
   */
  Future<Session> renew(Session stale) {
    if (renewal.isPresent()) {
      return renewal.get();
    }
    if (stale != session) {
      return Future.succeededFuture(session);
    }
    if (closed) {
      return Future.failedFuture(LinkFailure.closed());
    }
    Promise<Session> promise = Promise.promise();
    renewal = Optional.of(promise.future());
    listener.lost(stale, "The backend does not know the session any more.");
    handshake.run().map(this::renewed).onComplete(done -> settle(promise, done));
    return promise.future();
  }

  private Session renewed(Handshake.Opened opened) {
    if (closed) {
      handshake.forget(opened.session());
      throw LinkFailure.closed();
    }
    session = opened.session();
    doubted = false;
    listener.renewed(session, opened.result());
    return session;
  }

  private void settle(Promise<Session> promise, AsyncResult<Session> done) {
    renewal = Optional.empty();
    if (done.failed()) {
      doubted = true;
    }
    promise.handle(done);
    if (!closed && done.cause() instanceof LinkFailure failure && failure.isRefusal()) {
      listener.refused(failure);
    }
  }

  /** No further ping or handshake is sent. Idempotent. */
  void close() {
    closed = true;
  }
}
