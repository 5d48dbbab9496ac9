package io.fairlead.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.http.RawHttp.Answer;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A server that reads bodies and sends them back, and what became of each.
 *
 * <p>Thread: the test's.
 */
abstract class BodyBench {
  protected static final int CAP = 64 * 1024;
  protected static final int BUDGET = 3 * CAP;
  private static final Duration TIMEOUT = Duration.ofMillis(400);
  protected static final String HOST = "\r\nHost: localhost\r\n";
  protected static final String POST = "POST /mcp HTTP/1.1" + HOST;

  /** How each request ended: {@code body}, {@code gone}, or a refusal's reason. */
  protected final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

  private Vertx vertx;
  private Context owner;
  private BodyReader reader;
  private UnreadBody unread;
  protected int port;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    reader = new BodyReader(vertx, CAP, TIMEOUT, BUDGET);
    unread = new UnreadBody(vertx, TIMEOUT);
    owner = ((VertxInternal) vertx).createEventLoopContext();
    CompletableFuture<Integer> bound = new CompletableFuture<>();
    owner.runOnContext(
        unused ->
            vertx
                .createHttpServer()
                .requestHandler(this::serve)
                .listen(0, "127.0.0.1")
                .onSuccess(server -> bound.complete(server.actualPort()))
                .onFailure(bound::completeExceptionally));
    port = bound.get(10, TimeUnit.SECONDS);
  }

  @AfterEach
  void stop() throws Exception {
    assertTrue(ends.isEmpty(), ends::toString);
    assertEquals(0, held());
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  /** What the front does with every request, and nothing else. */
  private void serve(HttpServerRequest request) {
    request.pause();
    Optional<Refusal> refusal = Framing.check(request);
    if (refusal.isPresent()) {
      refuse(request, refusal.get());
    } else if (request.path().equals("/late")) {
      request.response().closeHandler(closed -> read(request));
    } else {
      read(request);
    }
  }

  private void read(HttpServerRequest request) {
    reader
        .read(request)
        .onSuccess(
            body -> {
              ends.add("body");
              request.response().end(Buffer.buffer(body));
            })
        .onFailure(failure -> fail(request, failure));
  }

  private void fail(HttpServerRequest request, Throwable failure) {
    if (failure instanceof ClientGone) {
      ends.add("gone");
    } else {
      refuse(request, ((Refused) failure).refusal());
    }
  }

  private void refuse(HttpServerRequest request, Refusal refusal) {
    ends.add(refusal.reason());
    boolean close = UnreadBody.closesAfter(request, refusal);
    request.response().setStatusCode(refusal.status()).headers().addAll(refusal.headers());
    request.response().end(refusal.reason());
    unread.leave(request, close);
  }

  protected void assertEcho(String rest, String body) throws Exception {
    Answer answer = RawHttp.exchange(port, POST + rest);
    assertEquals(200, answer.status());
    assertEquals(body, answer.body());
    assertEnd("body");
  }

  protected static void assertRefusedAndClosed(RawHttp http, int status) throws IOException {
    assertEquals(status, http.answer().status());
    assertTrue(http.endsWithoutMore());
  }

  protected void assertEnd(String end) throws InterruptedException {
    assertEquals(end, ends.poll(10, TimeUnit.SECONDS));
  }

  protected static String chunk(String text) {
    return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
  }

  protected void awaitHeld(long bytes) throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (held() < bytes) {
      assertTrue(System.nanoTime() < deadline, "held=" + held());
      Thread.onSpinWait();
    }
    assertTrue(held() <= BUDGET);
  }

  private long held() throws Exception {
    CompletableFuture<Long> held = new CompletableFuture<>();
    owner.runOnContext(unused -> held.complete(reader.bodyBytes()));
    return held.get(10, TimeUnit.SECONDS);
  }
}
