package io.fairlead.client;

import io.vertx.core.net.ClientSSLOptions;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;

/**
 * How to reach one server.
 *
 * @param url the server's MCP endpoint, http or https
 * @param tls how the server's certificate is checked
 * @param credentials sent with every request
 * @param connectTimeout bound of one TCP connect
 * @param maxMessage bytes of one message from the server
 * @param maxConnections open connections; a call above it is refused, it never waits behind streams
 * @param timing waits and back-off
 */
public record HttpLinkOptions(
    URI url,
    ClientSSLOptions tls,
    Credentials credentials,
    Duration connectTimeout,
    int maxMessage,
    int maxConnections,
    Timing timing) {
  public HttpLinkOptions {
    String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https") || url.getHost() == null) {
      throw new IllegalArgumentException(
          "the URL of a server needs http or https and a host; scheme=" + scheme);
    }
  }

  /** The same with the JDK's authorities. */
  public HttpLinkOptions(
      URI url,
      Credentials credentials,
      Duration connectTimeout,
      int maxMessage,
      int maxConnections,
      Timing timing) {
    this(
        url,
        new ClientSSLOptions(),
        credentials,
        connectTimeout,
        maxMessage,
        maxConnections,
        timing);
  }

  boolean isTls() {
    return url.getScheme().equalsIgnoreCase("https");
  }

  String host() {
    String host = url.getHost();
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  int port() {
    if (url.getPort() >= 0) {
      return url.getPort();
    }
    return isTls() ? 443 : 80;
  }

  String target() {
    String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
  }
}
