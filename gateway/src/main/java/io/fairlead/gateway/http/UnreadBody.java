package io.fairlead.gateway.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;

/**
 * Gets rid of what is left of a request that was answered before its body was read. The rest is
 * read and dropped for a bounded time: to close at once would reset the connection, and the client
 * might lose the answer; to wait for ever would give the connection away.
 *
 * <p>Thread: owner loop. Owner: the exchange.
 */
final class UnreadBody {
  private static final long LINGER_MILLIS = 1000;

  private final Vertx vertx;
  private final Duration timeout;

  /**
   * @param timeout how long the rest of a body may take on a connection that is to be kept
   */
  UnreadBody(Vertx vertx, Duration timeout) {
    this.vertx = vertx;
    this.timeout = timeout;
  }

  /**
   * Whether the connection must be closed after the refusal, so that the response has to say so: it
   * cannot be known whether a client that was not invited sends its body after all.
   */
  static boolean closesAfter(HttpServerRequest request, Refusal refusal) {
    return refusal.closes() || !request.isEnded() && Framing.expectsInvitation(request);
  }

  /**
   * To be called when the response was ended.
   *
   * @param close whether the connection is closed after it
   */
  void leave(HttpServerRequest request, boolean close) {
    if (request.isEnded()) {
      if (close) {
        Connections.close(request);
      }
      return;
    }
    long millis = close ? Math.min(LINGER_MILLIS, timeout.toMillis()) : timeout.toMillis();
    long timer = vertx.setTimer(millis, fired -> Connections.close(request));
    request
        .handler(dropped -> {})
        .exceptionHandler(gone -> vertx.cancelTimer(timer))
        .endHandler(
            end -> {
              vertx.cancelTimer(timer);
              if (close) {
                Connections.close(request);
              }
            })
        .resume();
  }
}
