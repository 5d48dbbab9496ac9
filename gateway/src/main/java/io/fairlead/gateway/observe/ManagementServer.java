package io.fairlead.gateway.observe;

import io.fairlead.gateway.config.ManagementConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;

/**
 * The management listener, apart from traffic: {@code GET /metrics} and nothing else.
 *
 * <p>Thread: owner loop; opened there, so that scrapes read gauges there too. Owner: the gateway
 * verticle.
 */
public final class ManagementServer {
  private static final int IDLE_SECONDS = 60;

  private final PrometheusMetrics metrics;
  private final HttpServer server;

  private ManagementServer(PrometheusMetrics metrics, HttpServer server) {
    this.metrics = metrics;
    this.server = server;
  }

  /**
   * Listens at the configured address.
   *
   * @return completes on the calling context; fails if the address cannot be bound
   */
  public static Future<ManagementServer> open(
      Vertx vertx, ManagementConfig config, PrometheusMetrics metrics) {
    HttpServerOptions options =
        new HttpServerOptions().setHttp2ClearTextEnabled(false).setIdleTimeout(IDLE_SECONDS);
    HttpServer server = vertx.createHttpServer(options);
    ManagementServer management = new ManagementServer(metrics, server);
    server.requestHandler(management::answer);
    return server.listen(config.port(), config.host()).map(management);
  }

  /** The port that is bound. */
  public int port() {
    return server.actualPort();
  }

  /** Idempotent; completes on the calling context. */
  public Future<Void> close() {
    return server.close();
  }

  private void answer(HttpServerRequest request) {
    if (!request.path().equals("/metrics")) {
      request.response().setStatusCode(404).end();
    } else if (!HttpMethod.GET.equals(request.method())) {
      request.response().setStatusCode(405).putHeader("Allow", "GET").end();
    } else {
      request
          .response()
          .putHeader("Content-Type", metrics.contentType())
          .putHeader("Cache-Control", "no-store")
          .end(metrics.scrape());
    }
  }
}
