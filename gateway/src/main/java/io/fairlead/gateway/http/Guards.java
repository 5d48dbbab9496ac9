package io.fairlead.gateway.http;

import io.fairlead.gateway.auth.Authenticator;
import io.fairlead.gateway.config.ListenConfig;

/**
 * What every request has to pass before it is looked at.
 *
 * <p>Thread: owner loop. Owner: the front.
 */
final class Guards {
  private HostGuard host;
  private Cors cors;
  private Authenticator authenticator;

  Guards(ListenConfig listen, Authenticator authenticator) {
    replace(listen, authenticator);
  }

  /** Others guard from the next request on. */
  void replace(ListenConfig listen, Authenticator next) {
    host = new HostGuard(listen);
    cors = new Cors(host);
    authenticator = next;
  }

  /** Refuses foreign hosts and origins. */
  HostGuard host() {
    return host;
  }

  /** Answers browsers. */
  Cors cors() {
    return cors;
  }

  /** Finds out who asks. */
  Authenticator authenticator() {
    return authenticator;
  }
}
