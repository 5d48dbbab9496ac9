package io.fairlead.gateway.http;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Optional;

/**
 * Reads request bodies, each within a size and a time, and all within a budget of memory.
 *
 * <p>Thread: owner loop. Owner: the front.
 */
public final class BodyReader {
  private final Vertx vertx;
  private int maxBytes;
  private Duration timeout;
  private long budget;
  private long held;

  /**
   * @param maxBytes of one body
   * @param timeout from the invitation of a body to its end
   * @param budget bytes of all bodies that are being read
   */
  public BodyReader(Vertx vertx, int maxBytes, Duration timeout, long budget) {
    this.vertx = vertx;
    limit(maxBytes, timeout, budget);
  }

  /** Other limits hold from now on. */
  void limit(int bytes, Duration time, long all) {
    maxBytes = bytes;
    timeout = time;
    budget = all;
  }

  /**
   * Reads the body of a request that was paused, and its framing checked, when it arrived. A client
   * that waits for an invitation gets it now, so everything that can be refused by the head must
   * have been.
   *
   * @return completes on the request's context; fails with {@link Refused}, after which the request
   *     is paused again ({@link UnreadBody}), or with {@link ClientGone}
   */
  public Future<byte[]> read(HttpServerRequest request) {
    Optional<Refusal> refused = check(request);
    if (refused.isPresent()) {
      return Future.failedFuture(new Refused(refused.get()));
    }
    if (request.response().closed()) {
      return Future.failedFuture(new ClientGone());
    }
    return new BodyRead(this, request).start(vertx);
  }

  /** Bytes held for bodies that are being read, as a gauge. */
  public long bodyBytes() {
    return held;
  }

  /** The limit of {@link #bodyBytes()}. */
  public long budget() {
    return budget;
  }

  int maxBytes() {
    return maxBytes;
  }

  Duration timeout() {
    return timeout;
  }

  /** Takes {@code bytes} from the budget, if they are there. */
  boolean reserve(long bytes) {
    if (held + bytes > budget) {
      return false;
    }
    held += bytes;
    return true;
  }

  void release(long bytes) {
    held -= bytes;
  }

  private Optional<Refusal> check(HttpServerRequest request) {
    if (!Framing.expectationIsKnown(request)) {
      return Optional.of(Refusals.expectationFailed());
    }
    if (!Framing.isPlain(request)) {
      return Optional.of(Refusals.unsupportedEncoding());
    }
    return Framing.length(request)
        .filter(length -> length > maxBytes)
        .map(length -> Refusals.tooLarge(maxBytes));
  }
}
