package io.fairlead.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.http.RawHttp.Answer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Bodies within their bounds, on bare sockets: lifecycle 7, 77 to 81. */
class BodyReaderIT extends BodyBench {
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
}
