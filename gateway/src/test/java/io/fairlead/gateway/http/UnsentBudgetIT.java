package io.fairlead.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.observe.AccessLog;
import io.fairlead.gateway.observe.KeyedHash;
import io.fairlead.gateway.observe.Metrics;
import io.fairlead.gateway.session.OwnerLoop;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** All answers that wait for their clients, within one budget. */
class UnsentBudgetIT {
  private static final int LENGTH = 24 << 20;
  private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private Vertx vertx;
  private Context owner;
  private UnsentAnswers unsent;
  private int port;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    owner = ((VertxInternal) vertx).createEventLoopContext();
    CompletableFuture<Integer> bound = new CompletableFuture<>();
    owner.runOnContext(
        nothing -> {
          OwnerLoop loop = new OwnerLoop(vertx);
          Duration patience = Duration.ofMinutes(1);
          unsent = new UnsentAnswers(loop, () -> patience, Metrics.none(), 2L * LENGTH);
          vertx
              .createHttpServer()
              .requestHandler(this::serve)
              .listen(0, "127.0.0.1")
              .onSuccess(server -> bound.complete(server.actualPort()))
              .onFailure(bound::completeExceptionally);
        });
    port = bound.get(10, TimeUnit.SECONDS);
  }

  @AfterEach
  void stop() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  private void serve(HttpServerRequest request) {
    HttpReply reply =
        new HttpReply(
            request,
            new AccessLog(new KeyedHash()).begin("GET", "mcp", ""),
            new UnreadBody(vertx, Duration.ofSeconds(1)),
            Metrics.none(),
            unsent);
    reply.json(200, new byte[LENGTH]);
  }

  @Test
  void answerThatWaitsForLongestIsCutAboveTheBudget() throws Exception {
    try (RawHttp first = new RawHttp(port);
        RawHttp second = new RawHttp(port);
        RawHttp third = new RawHttp(port)) {
      first.send(GET);
      awaitBytes(LENGTH);
      second.send(GET);
      awaitBytes(2L * LENGTH);
      third.send(GET);
      assertEquals(LENGTH, third.answer().body().length());
      assertEquals(LENGTH, second.answer().body().length());
      assertTrue(first.answer().body().length() < LENGTH);
      awaitBytes(0);
    }
  }

  private void awaitBytes(long expected) throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    long[] seen = {-1};
    while (seen[0] != expected) {
      assertTrue(System.nanoTime() < deadline, () -> "bytes=" + seen[0]);
      CompletableFuture<Long> read = new CompletableFuture<>();
      owner.runOnContext(nothing -> read.complete(unsent.bytes()));
      seen[0] = read.get(10, TimeUnit.SECONDS);
    }
  }
}
