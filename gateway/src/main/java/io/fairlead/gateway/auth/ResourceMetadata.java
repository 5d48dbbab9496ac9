package io.fairlead.gateway.auth;

import io.fairlead.gateway.config.GatewayConfig;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Says which authorization server protects the endpoint (RFC 9728). Every URL comes from the
 * configured one, never from a request's Host.
 *
 * <p>Thread: any; immutable. The endpoint of one backend is a resource of its own: the configured
 * URL with the backend's name behind it.
 */
final class ResourceMetadata {
  private static final String WELL_KNOWN = "/.well-known/oauth-protected-resource";
  private static final Pattern BACKEND = Pattern.compile("/[a-z0-9][a-z0-9-]{0,31}");

  private final String origin;
  private final String path;
  private final String listenPath;
  private final String issuer;
  private final List<String> scopes;

  ResourceMetadata(GatewayConfig config) {
    URI resource = URI.create(config.auth().resource().orElseThrow());
    this.origin = resource.getScheme() + "://" + resource.getRawAuthority();
    this.path = resource.getRawPath();
    this.listenPath = config.listen().path();
    this.issuer = config.auth().jwt().issuer();
    this.scopes = config.auth().jwt().requiredScopes();
  }

  /** The resources that a request to {@code requestPath} is for: all backends', and that one. */
  List<String> resources(String requestPath) {
    String all = origin + path;
    return backend(listenPath, requestPath)
        .map(one -> List.of(all, all + one))
        .orElse(List.of(all));
  }

  /** The absolute URL of the metadata for a request to {@code requestPath}. */
  String url(String requestPath) {
    return origin + WELL_KNOWN + path + backend(listenPath, requestPath).orElse("");
  }

  /**
   * The document at {@code requestPath}, if there is one.
   *
   * @param backends whether there is a backend with this name
   */
  Optional<Buffer> document(String requestPath, Predicate<String> backends) {
    if (!requestPath.startsWith(WELL_KNOWN)) {
      return Optional.empty();
    }
    String rest = requestPath.substring(WELL_KNOWN.length());
    return rest.isEmpty()
        ? Optional.of(write(""))
        : backend(path, rest)
            .filter(found -> exists(found, backends))
            .or(() -> backend(listenPath, rest).filter(found -> exists(found, backends)))
            .map(this::write);
  }

  private static boolean exists(String backend, Predicate<String> backends) {
    return backend.isEmpty() || backends.test(backend.substring(1));
  }

  /** What follows {@code base} in {@code whole}: nothing, or a slash and a backend's name. */
  private static Optional<String> backend(String base, String whole) {
    return Optional.of(whole)
        .filter(text -> text.startsWith(base))
        .map(text -> text.substring(base.length()))
        .filter(rest -> rest.isEmpty() || BACKEND.matcher(rest).matches());
  }

  private Buffer write(String backend) {
    JsonObject document =
        new JsonObject()
            .put("resource", origin + path + backend)
            .put("authorization_servers", new JsonArray().add(issuer))
            .put("bearer_methods_supported", new JsonArray().add("header"));
    if (!scopes.isEmpty()) {
      document.put("scopes_supported", new JsonArray(scopes));
    }
    return document.toBuffer();
  }
}
