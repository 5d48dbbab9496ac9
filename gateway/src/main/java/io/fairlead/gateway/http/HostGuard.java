package io.fairlead.gateway.http;

import io.fairlead.gateway.config.ListenConfig;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Decides whether a request's target, Host and Origin are ones that this gateway answers to, so
 * that a web page can neither rebind a name to it nor call it from a foreign origin (MCP
 * 2025-11-25, transports, "Security Warning").
 *
 * <p>Thread: owner loop. Reads the headers as they came: what Vert.x makes of a missing or doubled
 * Host is not enough to decide on.
 */
public final class HostGuard {
  private static final String HOST = "Host";
  private static final String ORIGIN = "Origin";

  // uri-host [":" port] of RFC 9110, section 7.2, without percent-encoding
  private static final Pattern AUTHORITY =
      Pattern.compile("(\\[[0-9A-Fa-f:.]{2,45}\\]|[A-Za-z0-9._-]{1,253})(:[0-9]{1,5})?");
  private static final Pattern LOOPBACK_ORIGIN =
      Pattern.compile("https?://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]{1,5})?");
  private static final List<String> LOOPBACK_NAMES = List.of("localhost", "127.0.0.1", "[::1]");

  private final List<String> hosts;
  private final List<String> origins;
  private final boolean loopback;

  public HostGuard(ListenConfig listen) {
    this.loopback = listen.isLoopback();
    this.hosts =
        listen.allowedHosts().isEmpty() && loopback
            ? LOOPBACK_NAMES
            : listen.allowedHosts().stream().map(HostGuard::lower).toList();
    this.origins = listen.allowedOrigins().stream().map(HostGuard::lower).toList();
  }

  /** Why the request is refused, if it is. */
  public Optional<Refusal> check(HttpServerRequest request) {
    return check(request.uri(), hosts(request), request.headers().getAll(ORIGIN));
  }

  /**
   * @param hosts each Host that was sent
   * @param origins each Origin that was sent
   */
  Optional<Refusal> check(String target, List<String> hosts, List<String> origins) {
    if (!target.startsWith("/")) {
      return Optional.of(Refusals.malformedTarget());
    }
    return checkHost(hosts).or(() -> checkOrigin(origins));
  }

  /** The request's one Origin, if it has one and it is allowed. */
  public Optional<String> allowedOrigin(HttpServerRequest request) {
    List<String> sent = request.headers().getAll(ORIGIN);
    return sent.size() == 1 && allows(sent.get(0)) ? Optional.of(sent.get(0)) : Optional.empty();
  }

  private Optional<Refusal> checkHost(List<String> sent) {
    if (!isWellFormed(sent)) {
      return Optional.of(Refusals.malformedHost());
    }
    return hosts.isEmpty() || serves(lower(sent.get(0)))
        ? Optional.empty()
        : Optional.of(Refusals.hostForbidden());
  }

  /** Whether the request says in proper form which host it is for. */
  static boolean isNamed(HttpServerRequest request) {
    return isWellFormed(hosts(request));
  }

  private static boolean isWellFormed(List<String> hosts) {
    return hosts.size() == 1 && AUTHORITY.matcher(hosts.get(0)).matches();
  }

  private static List<String> hosts(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_2) {
      // Vert.x compares one Host with the authority, and of several only the first
      return Stream.concat(
              Optional.ofNullable(request.authority()).map(Object::toString).stream(),
              request.headers().getAll(HOST).stream())
          .distinct()
          .toList();
    }
    return request.headers().getAll(HOST);
  }

  /** An entry without a port stands for every port. */
  private boolean serves(String authority) {
    int colon = authority.lastIndexOf(':');
    boolean hasPort = colon > authority.lastIndexOf(']');
    return hosts.contains(authority) || hasPort && hosts.contains(authority.substring(0, colon));
  }

  private Optional<Refusal> checkOrigin(List<String> sent) {
    if (sent.size() > 1) {
      return Optional.of(Refusals.duplicateHeader(ORIGIN));
    }
    return sent.isEmpty() || allows(sent.get(0))
        ? Optional.empty()
        : Optional.of(Refusals.originForbidden());
  }

  private boolean allows(String origin) {
    return origins.isEmpty()
        ? loopback && LOOPBACK_ORIGIN.matcher(origin).matches()
        : origins.contains(origin);
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
