package io.fairlead.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.config.ConfigLoader;
import io.fairlead.gateway.observe.Metrics;
import io.fairlead.gateway.session.OwnerLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Connections on which no exchange is in progress end, whatever their clients do. */
class ConnectionsIT {
  private static final Duration IDLE = Duration.ofMillis(300);
  private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final Vertx vertx = Vertx.vertx();
  private OwnerLoop loop;
  private Connections connections;
  private HttpServer server;

  @BeforeEach
  void listen() throws Exception {
    Promise<HttpServer> listening = Promise.promise();
    vertx.runOnContext(nothing -> start().onComplete(listening));
    server = listening.future().await(10, TimeUnit.SECONDS);
  }

  private Future<HttpServer> start() {
    loop = new OwnerLoop(vertx);
    connections =
        new Connections(
            loop, ConfigLoader.defaults()::limits, Metrics.none(), IDLE, Duration.ofMillis(50));
    return listen(false);
  }

  private Future<HttpServer> listen(boolean multiplexed) {
    return vertx
        .createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(multiplexed))
        .connectionHandler(connections::opened)
        .requestHandler(this::answer)
        .listen(0, "127.0.0.1");
  }

  private void answer(HttpServerRequest request) {
    connections.begin(request);
    switch (request.path()) {
      case "/large" -> request.response().end(Buffer.buffer(new byte[32 * 1024 * 1024]));
      case "/never" -> {}
      default -> request.response().end();
    }
  }

  @AfterEach
  void stop() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  private Socket send(String text) throws IOException {
    Socket socket = new Socket("127.0.0.1", server.actualPort());
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private int open() throws Exception {
    Promise<Integer> open = Promise.promise();
    loop.execute(() -> open.complete(connections.open()));
    return open.future().await(10, TimeUnit.SECONDS);
  }

  private void waitForOpen(int expected) throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (open() != expected && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertEquals(expected, open());
  }

  @Test
  void connectionEndsAfterAnAnswerThatItsClientDoesNotRead() throws Exception {
    Socket deaf = send(REQUEST.replace("GET /", "GET /large"));
    waitForOpen(1);
    waitForOpen(0);
    deaf.close();
  }

  @Test
  void idleAndHalfSentConnectionsEndButNotThoseOnWhichAnExchangeIsInProgress() throws Exception {
    Socket waiting = send(REQUEST.replace("GET /", "GET /never"));
    for (String sent : List.of("", "GET / HTTP/1.1\r\nHost: loc", REQUEST)) {
      try (Socket idle = send(sent)) {
        idle.setSoTimeout(10_000);
        idle.getInputStream().readAllBytes();
      }
    }
    waitForOpen(1);
    waiting.close();
    waitForOpen(0);
  }

  @Test
  @DisplayName("lifecycle 79: a head that trickles does not keep its connection")
  void connectionEndsThoughItsHeadTrickles() throws Exception {
    try (Socket trickling = send("GET / HTTP/1.1\r\nA: ")) {
      waitForOpen(1);
      long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
      long last = System.nanoTime();
      while (open() == 1) {
        assertTrue(System.nanoTime() < deadline, "it is still open");
        if (System.nanoTime() - last > IDLE.toNanos() / 20) {
          last = System.nanoTime();
          trickling.getOutputStream().write('x');
        }
      }
    }
  }

  @Test
  void connectionWhoseStreamsWereResetIsIdleButNotOneWithAStream() throws Exception {
    Promise<HttpServer> listening = Promise.promise();
    loop.execute(() -> listen(true).onComplete(listening));
    server = listening.future().await(10, TimeUnit.SECONDS);
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
    HttpClientRequest kept = never(client);
    HttpClientRequest other = never(client);
    waitForOpen(1);
    Promise<Void> closed = Promise.promise();
    kept.connection().closeHandler(closed::complete);
    other.reset(8);
    vertx.timer(2 * IDLE.toMillis(), TimeUnit.MILLISECONDS).await(10, TimeUnit.SECONDS);
    assertEquals(1, open());
    kept.reset(8);
    closed.future().await(10, TimeUnit.SECONDS);
    waitForOpen(0);
  }

  private HttpClientRequest never(HttpClient client) throws Exception {
    HttpClientRequest request =
        client
            .request(HttpMethod.GET, server.actualPort(), "127.0.0.1", "/never")
            .await(10, TimeUnit.SECONDS);
    request.end().await(10, TimeUnit.SECONDS);
    return request;
  }
}
