package io.fairlead.gateway.http;

import io.vertx.core.Future;

/**
 * Where requests come in: a port of the gateway's own, or a router of the application around it.
 *
 * <p>Thread: owner loop. Owner: the gateway verticle.
 */
public interface Entrance {

  /** Begins to take requests. Completes on the owner loop; fails if it cannot listen. */
  Future<Void> open();

  /** The port that it listens on; 0 if the application does. */
  int port();

  /** How many connections are open; for a router, on how many something is in progress. */
  int connections();

  /** How many of them come from the address that has most; 0 where that is not looked at. */
  default int connectionsOfOneAddress() {
    return 0;
  }

  /** Takes no more requests, and ends what is left. Idempotent; completes on the owner loop. */
  Future<Void> close();
}
