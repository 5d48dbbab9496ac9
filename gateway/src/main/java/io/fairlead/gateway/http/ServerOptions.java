package io.fairlead.gateway.http;

import io.fairlead.gateway.config.GatewayConfig;
import io.fairlead.gateway.config.TlsConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * What the listener asks of the transport: its address, bounds of one connection, TLS and HTTP/2.
 *
 * <p>Thread: owner loop; files are read on a worker.
 */
final class ServerOptions {
  /** Of one request's headers, in both versions of HTTP. */
  static final int MAX_HEADER = 16 * 1024;

  /** Of one request's first line, in HTTP/1.1. */
  static final int MAX_LINE = 4 * 1024;

  private static final int TCP_USER_TIMEOUT_MILLIS = 60_000;

  /** Silence after the TLS handshake, until HTTP/2 has begun; from there on it is not in force. */
  private static final int HELLO_SECONDS = 10;

  private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

  private ServerOptions() {}

  /**
   * @return completes on the calling context; fails with {@link TlsFiles.Unusable}
   */
  static Future<HttpServerOptions> of(Vertx vertx, GatewayConfig config) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(config.listen().host())
            .setPort(config.listen().port())
            .setHttp2ClearTextEnabled(false)
            .setMaxHeaderSize(MAX_HEADER)
            .setMaxInitialLineLength(MAX_LINE)
            .setTcpUserTimeout(vertx.isNativeTransportEnabled() ? TCP_USER_TIMEOUT_MILLIS : 0)
            .setTcpKeepAlive(true);
    Optional<TlsConfig> tls = config.listen().tls();
    return tls.isEmpty()
        ? Future.succeededFuture(options)
        : vertx
            .executeBlocking(() -> TlsFiles.read(tls.get()))
            .map(keys -> secure(options, keys, config.limits().streamsPerConnection()));
  }

  private static HttpServerOptions secure(
      HttpServerOptions options, KeyCertOptions keys, int streams) {
    return options
        .setSsl(true)
        .setIdleTimeout(HELLO_SECONDS)
        .setUseAlpn(true)
        .setKeyCertOptions(keys)
        .setEnabledSecureTransportProtocols(new LinkedHashSet<>(PROTOCOLS))
        .setInitialSettings(
            new Http2Settings().setMaxConcurrentStreams(streams).setMaxHeaderListSize(MAX_HEADER));
  }
}
