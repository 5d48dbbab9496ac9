package io.fairlead.gateway.config;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where the gateway listens, and for whom.
 *
 * @param host address to bind
 * @param port port to bind, 0 for a free one
 * @param path path of the MCP endpoint
 * @param allowedHosts names accepted in the Host header; empty: the loopback names when bound to
 *     loopback, else any
 * @param allowedOrigins origins of browser clients; empty: only those of the loopback names
 * @param tls certificate and key; empty: plain text
 */
public record ListenConfig(
    String host,
    int port,
    String path,
    List<String> allowedHosts,
    List<String> allowedOrigins,
    Optional<TlsConfig> tls) {
  private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9~_-][A-Za-z0-9.~_-]*)+");
  private static final Pattern HOST_NAME =
      Pattern.compile("([a-z0-9._-]+|\\[[0-9a-f:.]+])(:\\d{1,5})?");
  private static final Pattern ORIGIN =
      Pattern.compile("[a-z][a-z0-9+.-]*://([a-z0-9._-]+|\\[[0-9a-f:.]+])(:\\d{1,5})?");

  public ListenConfig {
    allowedHosts = List.copyOf(allowedHosts);
    allowedOrigins = List.copyOf(allowedOrigins);
    Checks checks = Addresses.check(new Checks(), host, port);
    checks
        .rule(
            PATH.matcher(path).matches(),
            "path",
            "is not a path, value=" + path,
            "write it as in /mcp: a slash first, none at the end, no query")
        .rule(
            !path.equals("/healthz") && !path.equals("/readyz"),
            "path",
            "is taken by the health checks, value=" + path,
            "choose another one");
    allowedHosts.forEach(
        name ->
            checks.rule(
                HOST_NAME.matcher(name).matches(),
                "allowed-hosts",
                "holds something that is not a host name, value=" + name,
                "write lower-case names as in mcp.example.com or mcp.example.com:8443"));
    allowedOrigins.forEach(
        origin ->
            checks.rule(
                ORIGIN.matcher(origin).matches(),
                "allowed-origins",
                "holds something that is not an origin, value=" + origin,
                "write a scheme and a host in lower case, as in https://app.example.com"));
    checks.done();
  }

  /** How its URLs begin. */
  public String scheme() {
    return tls.isPresent() ? "https" : "http";
  }

  /** Whether only this machine can reach it; no name server is asked. */
  public boolean isLoopback() {
    return isLoopback(host);
  }

  /** Whether an address is reached from this machine alone, without asking a name server. */
  public static boolean isLoopback(String address) {
    return Addresses.isLoopback(address);
  }
}
