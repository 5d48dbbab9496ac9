package io.fairlead.client;

import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.WireLimits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http1ClientConfig;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientConfig;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.ClientSSLOptions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The HTTP connections to one server, shared by all links to it that have the same credentials.
 *
 * <p>Calls, streams and notifications get a connection of their own, which cannot be half-dead;
 * reads, which may be sent again, use a pool. Both are large and neither queues, so nothing waits
 * for ever behind streams. No redirect is followed.
 *
 * <p>Thread: the loop of the links. Owner: whoever opens links; it closes this after them.
 */
public final class HttpTransport {
  private static final Duration TLS_HANDSHAKE = Duration.ofSeconds(10);

  /** Below the 5 s after which common servers close an idle connection. */
  private static final Duration IDLE = Duration.ofSeconds(4);

  private final Vertx vertx;
  private final HttpLinkOptions options;
  private final HttpClient fresh;
  private final HttpClient pooled;
  private long heardNanos = System.nanoTime();
  private final EnvelopeReader reader = new EnvelopeReader(WireLimits.WIDE);

  public HttpTransport(Vertx vertx, HttpLinkOptions options) {
    this.vertx = vertx;
    this.options = options;
    this.fresh = client(false);
    this.pooled = client(true);
  }

  private HttpClient client(boolean keepAlive) {
    PoolOptions pool =
        new PoolOptions().setHttp1MaxSize(options.maxConnections()).setMaxWaitQueueSize(0);
    return vertx
        .httpClientBuilder()
        .with(http(options, keepAlive))
        .with(tls(options))
        .with(pool)
        .build();
  }

  /** No silence of a connection that is in use ends it. */
  static HttpClientConfig http(HttpLinkOptions options, boolean keepAlive) {
    HttpClientConfig http =
        new HttpClientConfig()
            .setVersions(HttpVersion.HTTP_1_1)
            .setSsl(options.isTls())
            .setConnectTimeout(options.connectTimeout())
            .setMaxRedirects(0)
            .setHttp1Config(
                new Http1ClientConfig().setKeepAlive(keepAlive).setKeepAliveTimeout(IDLE));
    KeepAlive.configure(http.getTcpConfig().getTransportConfig());
    return http;
  }

  static ClientSSLOptions tls(HttpLinkOptions options) {
    return options
        .tls()
        .copy()
        .setSslHandshakeTimeout(TLS_HANDSHAKE.toMillis())
        .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS);
  }

  /** What opens a connection is bounded; nothing that comes after it. */
  static RequestOptions request(Outgoing outgoing, HttpLinkOptions options) {
    Duration limit = options.connectTimeout().plus(options.isTls() ? TLS_HANDSHAKE : Duration.ZERO);
    return new RequestOptions()
        .setMethod(outgoing.method())
        .setHost(options.host())
        .setPort(options.port())
        .setURI(outgoing.target().isEmpty() ? options.target() : outgoing.target())
        .setConnectTimeout(limit.toMillis())
        .setFollowRedirects(false);
  }

  /**
   * Opens (or takes from the pool) a connection. Whatever this fails with, not one byte was sent.
   */
  Future<HttpClientRequest> connect(Outgoing outgoing, Map<String, String> credentials) {
    RequestOptions request = request(outgoing, options);
    credentials.forEach(request::putHeader);
    outgoing.headers().forEach(request::putHeader);
    return (outgoing.pooled() ? pooled : fresh)
        .request(request)
        .onSuccess(opened -> KeepAlive.set(opened.connection()));
  }

  /** A stream of the server has brought bytes. */
  void heard() {
    heardNanos = System.nanoTime();
  }

  /** Whether a stream of the server has brought bytes since then. */
  boolean heardSince(long nanos) {
    return heardNanos - nanos > 0;
  }

  Vertx vertx() {
    return vertx;
  }

  HttpLinkOptions options() {
    return options;
  }

  Timing timing() {
    return options.timing();
  }

  /** Reads messages from the server; one at a time, on the loop. */
  EnvelopeReader reader() {
    return reader;
  }

  /** Closes every connection. Completes on the loop. */
  public Future<Void> close() {
    return Future.join(fresh.close(), pooled.close()).mapEmpty();
  }
}
