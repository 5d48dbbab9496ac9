package io.fairlead.gateway.auth;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Finds out who asks, from the headers of each request anew; a query, a body or a cookie never
 * says.
 *
 * <p>Thread: owner loop. Owner: the gateway verticle.
 */
public interface Authenticator {

  /**
   * Judges a request whose body was not touched; it must be paused, because this may take time.
   *
   * @return completes on the owner loop; never fails
   */
  Future<Authentication> authenticate(HttpServerRequest request);

  /**
   * The metadata of the protected resource (RFC 9728) that is served at {@code path} without
   * authentication, as JSON; empty if nothing is.
   *
   * @param backends whether there is a backend with this name
   */
  default Optional<Buffer> metadata(String path, Predicate<String> backends) {
    return Optional.empty();
  }

  /** Stops whatever goes on behind it. Idempotent; completes on the owner loop. */
  default Future<Void> close() {
    return Future.succeededFuture();
  }
}
