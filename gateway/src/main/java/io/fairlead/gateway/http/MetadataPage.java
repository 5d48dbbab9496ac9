package io.fairlead.gateway.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Serves the metadata of the protected resource (RFC 9728, section 3) to everybody, pages of
 * allowed origins included.
 *
 * <p>Thread: owner loop.
 */
final class MetadataPage {
  /** The router's pattern for all of them. */
  static final String PATHS = "/.well-known/oauth-protected-resource*";

  private final Guards guards;
  private final Predicate<String> backends;

  /**
   * @param backends whether there is a backend with this name now
   */
  MetadataPage(Guards guards, Predicate<String> backends) {
    this.guards = guards;
    this.backends = backends;
  }

  /** Answers the request, or says why not. */
  Optional<Refusal> handle(HttpServerRequest request) {
    Optional<Buffer> document = guards.authenticator().metadata(request.path(), backends);
    if (document.isEmpty()) {
      return Optional.of(Refusals.pathUnknown());
    }
    Optional<Refusal> refused = guards.host().check(request);
    if (refused.isPresent()) {
      return refused;
    }
    if (Cors.isPreflight(request)) {
      guards.cors().answerPreflight(request);
      return Optional.empty();
    }
    if (request.method() != HttpMethod.GET) {
      return Optional.of(Refusals.methodNotAllowed("GET, OPTIONS"));
    }
    guards.cors().decorate(request);
    request.response().putHeader("Content-Type", "application/json").end(document.get());
    return Optional.empty();
  }
}
