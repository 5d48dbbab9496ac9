package io.fairlead.bridge;

import io.fairlead.client.HttpLink;
import io.fairlead.client.HttpTransport;
import io.fairlead.client.LinkFailure;
import io.fairlead.client.Probing;
import io.fairlead.wire.Envelope;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;

/**
 * The link to the server: opened with the client's own words, awaited for a bounded time while the
 * server is absent, and opened again with the same words if the server has ended it.
 *
 * <p>Thread: owner loop. Owner: {@link Bridge}.
 */
final class Upstream {
  private static final Duration FIRST_WAIT = Duration.ofMillis(100);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

  /** Told on the owner loop. */
  interface Listener {
    /** The link is open. */
    void opened(byte[] initializeResult);

    /** It cannot be opened, and nobody tries any more until it is asked for again. */
    void failed(String reason, String what);

    void message(Envelope message);

    /** A new session took the place of one that the server had lost. */
    void renewed(byte[] initializeResult);
  }

  private final Vertx vertx;
  private final HttpTransport transport;
  private final Duration startTimeout;
  private final Optional<Probing> probing;
  private final Listener listener;
  private Optional<HttpLink> link = Optional.empty();
  private boolean opening;
  private boolean closed;
  private long timer = -1;

  Upstream(
      Vertx vertx,
      HttpTransport transport,
      Duration startTimeout,
      Optional<Probing> probing,
      Listener listener) {
    this.vertx = vertx;
    this.transport = transport;
    this.startTimeout = startTimeout;
    this.probing = probing;
    this.listener = listener;
  }

  Optional<HttpLink> link() {
    return link;
  }

  boolean isOpening() {
    return opening;
  }

  /** Opens it, unless that is under way. */
  void open(byte[] initializeParams) {
    if (!opening && !closed) {
      opening = true;
      attempt(initializeParams, System.nanoTime(), FIRST_WAIT);
    }
  }

  private void attempt(byte[] params, long sinceNanos, Duration wait) {
    HttpLink.open(transport, params, new Events())
        .onSuccess(this::opened)
        .onFailure(cause -> failed(params, sinceNanos, wait, cause));
  }

  private void opened(HttpLink opened) {
    if (closed) {
      opened.close();
      return;
    }
    opening = false;
    link = Optional.of(opened);
    probing.ifPresent(opened::monitor);
    listener.opened(opened.initializeResult());
  }

  private void failed(byte[] params, long sinceNanos, Duration wait, Throwable cause) {
    if (closed) {
      return;
    }
    boolean refused = cause instanceof LinkFailure known && known.isRefusal();
    long leftNanos = startTimeout.toNanos() - (System.nanoTime() - sinceNanos);
    if (refused || leftNanos <= 0) {
      opening = false;
      String reason = cause instanceof LinkFailure known ? known.reason() : "backend_unavailable";
      listener.failed(reason, cause.getMessage());
      return;
    }
    Duration next = wait.multipliedBy(2);
    timer =
        vertx.setTimer(
            Math.max(1, Math.min(wait.toMillis(), leftNanos / 1_000_000)),
            fired ->
                attempt(
                    params, sinceNanos, next.compareTo(LONGEST_WAIT) < 0 ? next : LONGEST_WAIT));
  }

  /** Cancels what is in flight and ends the session, in bounded time. Idempotent. */
  Future<Void> close() {
    closed = true;
    opening = false;
    vertx.cancelTimer(timer);
    Optional<HttpLink> open = link;
    link = Optional.empty();
    return open.map(HttpLink::close).orElse(Future.succeededFuture());
  }

  private final class Events implements HttpLink.Listener {
    @Override
    public void message(Envelope message) {
      listener.message(message);
    }

    @Override
    public void renewed(byte[] initializeResult) {
      listener.renewed(initializeResult);
    }

    @Override
    public void closed(String reason) {
      link = Optional.empty();
    }
  }
}
