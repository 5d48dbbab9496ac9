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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies within their bounds, on bare sockets: lifecycle 7, 77 to 81. */
class BodyReaderIT {
  private static final int CAP = 64 * 1024;
  private static final int BUDGET = 3 * CAP;
  private static final Duration TIMEOUT = Duration.ofMillis(400);
  private static final String HOST = "\r\nHost: localhost\r\n";
  private static final String POST = "POST /mcp HTTP/1.1" + HOST;

  /** How each request ended: {@code body}, {@code gone}, or a refusal's reason. */
  private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

  private Vertx vertx;
  private Context owner;
  private BodyReader reader;
  private UnreadBody unread;
  private int port;

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

  @Test
  void bodyArrivesAsSentWhenItsLengthIsAnnounced() throws Exception {
    assertEcho("Content-Length: 5\r\n\r\nhello", "hello");
    assertEcho("Content-Length: 0\r\n\r\n", "");
    assertEcho("\r\n", "");
  }

  @Test
  void bodyArrivesAsSentWhenItIsChunkedAndSplitAnywhere() throws Exception {
    try (RawHttp http = new RawHttp(port)) {
      String request = POST + "Transfer-Encoding: Chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n";
      for (byte b : request.getBytes(StandardCharsets.US_ASCII)) {
        http.send(new byte[] {b});
      }
      assertEquals("hello", http.answer().body());
    }
    assertEnd("body");
  }

  @Test
  void largestBodyIsReadHoweverItIsFramed() throws Exception {
    String body = "x".repeat(CAP);
    assertEcho("Content-Length: " + CAP + "\r\n\r\n" + body, body);
    assertEcho("Transfer-Encoding: chunked\r\n\r\n" + chunk(body) + "0\r\n\r\n", body);
  }

  @Test
  void announcedLengthAboveTheCapIsRefusedBeforeAnyByteIsRead() throws Exception {
    for (String length : new String[] {"" + (CAP + 1), "9223372036854775807"}) {
      try (RawHttp http = new RawHttp(port)) {
        http.send(POST + "Content-Length: " + length + "\r\n\r\n");
        assertRefusedAndClosed(http, 413);
      }
      assertEnd("too_large");
    }
  }

  @Test
  void chunkedBodyIsRefusedAtTheFirstByteAboveTheCap() throws Exception {
    try (RawHttp http = new RawHttp(port)) {
      http.send(POST + "Transfer-Encoding: chunked\r\n\r\n" + chunk("x".repeat(CAP)));
      awaitHeld(CAP);
      http.send(chunk("y"));
      assertRefusedAndClosed(http, 413);
    }
    assertEnd("too_large");
  }

  @Test
  void clientThatSendsEverythingFirstStillReadsTheRefusal() throws Exception {
    byte[] body = new byte[8 * 1024 * 1024];
    try (RawHttp http = new RawHttp(port)) {
      http.send(POST + "Content-Length: " + body.length + "\r\n\r\n").send(body);
      assertRefusedAndClosed(http, 413);
    }
    assertEnd("too_large");
  }

  @Test
  void bodyThatStopsIsRefusedAtItsDeadline() throws Exception {
    try (RawHttp http = new RawHttp(port)) {
      http.send(POST + "Content-Length: 100\r\n\r\nabc");
      assertRefusedAndClosed(http, 408);
    }
    assertEnd("too_slow");
  }

  @Test
  void bodyThatTricklesIsRefusedAtItsDeadline() throws Exception {
    try (RawHttp http = new RawHttp(port)) {
      http.send(POST + "Content-Length: 1000\r\n\r\n");
      String end = null;
      for (int sent = 0; end == null && sent < 1000; sent++) {
        http.send("x");
        end = ends.poll(20, TimeUnit.MILLISECONDS);
      }
      assertEquals("too_slow", end);
      assertRefusedAndClosed(http, 408);
    }
  }

  @Test
  void compressedBodyIsRefusedAndTheConnectionGoesOn() throws Exception {
    try (RawHttp http = new RawHttp(port)) {
      http.send(POST + "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nGZIP");
      assertEquals(415, http.answer().status());
      http.send(POST + "Content-Encoding: identity\r\nContent-Length: 2\r\n\r\nok");
      assertEquals("ok", http.answer().body());
    }
    assertEnd("unsupported_media_type");
    assertEnd("body");
  }

  @Test
  void bodyOfARefusedRequestThatNeverEndsGivesTheConnectionUp() throws Exception {
    try (RawHttp http = new RawHttp(port)) {
      http.send(POST + "Content-Encoding: gzip\r\nContent-Length: 40\r\n\r\nGZ");
      assertEquals(415, http.answer().status());
      assertTrue(http.endsWithoutMore());
    }
    assertEnd("unsupported_media_type");
  }

  @Test
  void expectedInvitationComesWhenTheHeadIsAccepted() throws Exception {
    try (RawHttp http = new RawHttp(port)) {
      http.send(POST + "Expect: 100-Continue\r\nContent-Length: 2\r\n\r\n");
      assertEquals(100, http.answer().status());
      assertEquals("ok", http.send("ok").answer().body());
    }
    assertEnd("body");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "413 Content-Length: 65537",
        "415 Content-Encoding: gzip\r\nContent-Length: 2",
        "417 Expect: tea\r\nContent-Length: 2"
      })
  void refusedHeadIsAnsweredWithoutAnInvitation(String statusAndHeaders) throws Exception {
    String headers = statusAndHeaders.substring(4);
    try (RawHttp http = new RawHttp(port)) {
      http.send(POST + "Expect: 100-continue\r\n" + headers + "\r\n\r\n");
      assertRefusedAndClosed(http, Integer.parseInt(statusAndHeaders.substring(0, 3)));
    }
    ends.take();
  }

  @Test
  void oldClientIsNeverInvited() throws Exception {
    try (RawHttp http = new RawHttp(port)) {
      http.send(
          "POST /mcp HTTP/1.0" + HOST + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\nok");
      assertEquals("ok", http.answer().body());
    }
    assertEnd("body");
  }

  @ParameterizedTest
  @ValueSource(strings = {"xchunked", "gzip", "gzip, chunked", "chunked, chunked", "identity", ""})
  void unknownTransferCodingIsRefusedAndNothingAfterItIsRead(String coding) throws Exception {
    try (RawHttp http = new RawHttp(port)) {
      http.send(
          POST
              + "Transfer-Encoding: "
              + coding
              + "\r\n\r\n"
              + chunk("POST /smuggled HTTP/1.1" + HOST + "Content-Length: 0\r\n\r\n")
              + "0\r\n\r\n");
      assertRefusedAndClosed(http, 400);
    }
    assertEnd("malformed");
  }

  @Test
  void clientThatLeavesInTheBodyIsGoneAndNothingElse() throws Exception {
    try (RawHttp http = new RawHttp(port)) {
      http.send(POST + "Content-Length: 1000\r\n\r\nabc");
      awaitHeld(1);
    }
    assertEnd("gone");
    RawHttp http = new RawHttp(port);
    http.send(POST + "Transfer-Encoding: chunked\r\n\r\n" + chunk("abc"));
    awaitHeld(1);
    http.reset();
    assertEnd("gone");
  }

  @Test
  void clientThatSendsABrokenChunkIsGone() throws Exception {
    try (RawHttp http = new RawHttp(port)) {
      http.send(POST + "Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n");
      assertTrue(http.endsWithoutMore());
    }
    assertEnd("gone");
  }

  @Test
  void clientThatLeftBeforeItsBodyWasWantedIsGone() throws Exception {
    try (RawHttp http = new RawHttp(port)) {
      http.send("POST /late HTTP/1.1" + HOST + "Content-Length: 3\r\n\r\nabc");
    }
    assertEnd("gone");
  }

  @Test
  void memoryOfAllBodiesTogetherIsBounded() throws Exception {
    String half = POST + "Content-Length: " + CAP + "\r\n\r\n" + "x".repeat(CAP - 1);
    try (RawHttp first = new RawHttp(port);
        RawHttp second = new RawHttp(port);
        RawHttp third = new RawHttp(port);
        RawHttp fourth = new RawHttp(port)) {
      first.send(half);
      second.send(half);
      third.send(half);
      awaitHeld(BUDGET);
      fourth.send(POST + "Content-Length: 1\r\n\r\nx");
      Answer refused = fourth.answer();
      assertEquals(503, refused.status());
      assertEquals("1", refused.header("Retry-After").orElseThrow());
      assertEnd("overloaded");
      first.send("x");
      assertEquals(CAP, first.answer().body().length());
      assertEnd("body");
      fourth.send(POST + "Content-Length: 1\r\n\r\nx");
      assertEquals("x", fourth.answer().body());
      assertEnd("body");
    }
    assertEnd("gone");
    assertEnd("gone");
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrder() throws Exception {
    try (RawHttp http = new RawHttp(port)) {
      http.send(
          POST
              + "Content-Length: 3\r\n\r\none"
              + POST
              + "Content-Encoding: br\r\nContent-Length: 3\r\n\r\ntwo"
              + POST
              + "Content-Length: 5\r\n\r\nthree");
      assertEquals("one", http.answer().body());
      assertEquals(415, http.answer().status());
      assertEquals("three", http.answer().body());
    }
    assertEnd("body");
    assertEnd("unsupported_media_type");
    assertEnd("body");
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

  private void assertEcho(String rest, String body) throws Exception {
    Answer answer = RawHttp.exchange(port, POST + rest);
    assertEquals(200, answer.status());
    assertEquals(body, answer.body());
    assertEnd("body");
  }

  private static void assertRefusedAndClosed(RawHttp http, int status) throws IOException {
    assertEquals(status, http.answer().status());
    assertTrue(http.endsWithoutMore());
  }

  private void assertEnd(String end) throws InterruptedException {
    assertEquals(end, ends.poll(10, TimeUnit.SECONDS));
  }

  private static String chunk(String text) {
    return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
  }

  private void awaitHeld(long bytes) throws Exception {
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
