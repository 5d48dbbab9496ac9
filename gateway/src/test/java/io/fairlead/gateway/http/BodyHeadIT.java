package io.fairlead.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a head says about its body decides before it is read, on bare sockets: lifecycle 78 to 81.
 */
class BodyHeadIT extends BodyBench {
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
}
