package io.fairlead.client;

import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.WireLimits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
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

  private static final WireLimits LIMITS = new WireLimits(200, 100_000, 1000, 4096);

  private final Vertx vertx;
  private final HttpLinkOptions options;
  private final HttpClient fresh;
  private final HttpClient pooled;
  private final EnvelopeReader reader = new EnvelopeReader(LIMITS);

  public HttpTransport(Vertx vertx, HttpLinkOptions options) {
    this.vertx = vertx;
    this.options = options;
    this.fresh = client(false);
    this.pooled = client(true);
  }

  private HttpClient client(boolean keepAlive) {
    HttpClientOptions http =
        new HttpClientOptions()
            .setSsl(options.tls())
            .setKeepAlive(keepAlive)
            .setKeepAliveTimeout((int) IDLE.toSeconds())
            .setTcpKeepAlive(true)
            .setConnectTimeout((int) options.connectTimeout().toMillis())
            .setSslHandshakeTimeout(TLS_HANDSHAKE.toMillis())
            .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
            .setMaxRedirects(0);
    PoolOptions pool =
        new PoolOptions().setHttp1MaxSize(options.maxConnections()).setMaxWaitQueueSize(0);
    return vertx.createHttpClient(http, pool);
  }

  /**
   * Opens (or takes from the pool) a connection. Whatever this fails with, not one byte was sent.
   */
  Future<HttpClientRequest> connect(Outgoing outgoing, Map<String, String> credentials) {
    Duration limit = options.connectTimeout().plus(options.tls() ? TLS_HANDSHAKE : Duration.ZERO);
    RequestOptions request =
        new RequestOptions()
            .setMethod(outgoing.method())
            .setHost(options.host())
            .setPort(options.port())
            .setURI(options.target())
            .setConnectTimeout(limit.toMillis())
            .setFollowRedirects(false);
    credentials.forEach(request::putHeader);
    outgoing.headers().forEach(request::putHeader);
    return (outgoing.pooled() ? pooled : fresh).request(request);
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
