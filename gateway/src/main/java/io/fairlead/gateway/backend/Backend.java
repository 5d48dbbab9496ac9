package io.fairlead.gateway.backend;

import io.fairlead.gateway.observe.Metrics;
import io.vertx.core.Future;

/**
 * A configured tool server, which opens links.
 *
 * <p>Thread: owner loop.
 */
public interface Backend {

  /** Its name in the configuration. */
  String name();

  /** Says where to count, once, before the first link is opened. */
  default void observe(Metrics metrics) {}

  /**
   * Opens one conversation and does its handshake ({@code initialize}, {@code
   * notifications/initialized}).
   *
   * @return completes on the owner loop; fails with a {@link BackendFailure} in bounded time if the
   *     backend cannot be reached, refuses, or is at its capacity
   */
  Future<Link> open(LinkRequest request);

  /** Closes every link and what is behind them. Idempotent; completes on the owner loop. */
  Future<Void> close();
}
