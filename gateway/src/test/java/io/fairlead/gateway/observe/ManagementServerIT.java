package io.fairlead.gateway.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.config.ManagementConfig;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.net.BindException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The management listener on a real socket. */
class ManagementServerIT {
  private final AtomicReference<Thread> owner = new AtomicReference<>();
  private final AtomicReference<Thread> reader = new AtomicReference<>();
  private Vertx vertx;
  private ManagementServer server;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    PrometheusMetrics metrics = new PrometheusMetrics(Set.of());
    metrics.gauge("sessions", this::read, () -> -1);
    vertx.deployVerticle(owner(metrics, 0)).await(10, TimeUnit.SECONDS);
  }

  @AfterEach
  void stop() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  @Test
  void scrapeReadsGaugesOnTheOwnerLoop() throws Exception {
    HttpResponse<String> answer = ask("GET", "/metrics");
    assertEquals(200, answer.statusCode());
    assertEquals(
        "text/plain; version=0.0.4; charset=utf-8",
        answer.headers().firstValue("Content-Type").orElseThrow());
    assertTrue(answer.body().contains("\nfairlead_sessions 7.0\n"), answer.body());
    assertEquals(owner.get(), reader.get());
  }

  @Test
  void nothingElseIsServed() throws Exception {
    assertEquals(404, ask("GET", "/").statusCode());
    assertEquals(404, ask("GET", "/mcp").statusCode());
    assertEquals(405, ask("POST", "/metrics").statusCode());
  }

  @Test
  void openingFailsWhenTheAddressIsInUse() {
    Future<String> second =
        vertx.deployVerticle(owner(new PrometheusMetrics(Set.of()), server.port()));
    assertThrows(BindException.class, () -> second.await(10, TimeUnit.SECONDS));
  }

  private long read() {
    reader.set(Thread.currentThread());
    return 7;
  }

  private Deployable owner(PrometheusMetrics metrics, int port) {
    return new VerticleBase() {
      @Override
      public Future<?> start() {
        return ManagementServer.open(vertx, new ManagementConfig(true, "127.0.0.1", port), metrics)
            .onSuccess(
                opened -> {
                  server = opened;
                  owner.set(Thread.currentThread());
                });
      }
    };
  }

  private HttpResponse<String> ask(String verb, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .method(verb, HttpRequest.BodyPublishers.noBody())
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }
}
