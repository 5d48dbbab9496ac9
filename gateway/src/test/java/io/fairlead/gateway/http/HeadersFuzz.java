package io.fairlead.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.fairlead.store.EventId;
import io.fairlead.wire.Headers;
import io.vertx.core.MultiMap;
import java.nio.charset.StandardCharsets;

/**
 * Fuzz target: a client's session id, Last-Event-ID, call number, version, Accept (lifecycle 41).
 */
class HeadersFuzz {
  private static final String[] NAMES = {
    Headers.SESSION, Headers.LAST_EVENT_ID, Headers.CALL, Headers.VERSION, "Accept", "Content-Type"
  };

  /** Each line is a header, whose first character says which; what is taken is well-formed. */
  @FuzzTest
  void headersAreTakenWhenWellFormedOrRefused(byte[] bytes) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    for (String line : new String(bytes, StandardCharsets.ISO_8859_1).split("\n")) {
      if (!line.isEmpty()) {
        headers.add(NAMES[line.charAt(0) % NAMES.length], line.substring(1));
      }
    }
    try {
      check(RequestHeaders.of(headers, Accept.of(headers)), headers);
      RequestHeaders.checkContentType(headers);
      assertTrue(headers.getAll("Content-Type").size() == 1);
    } catch (Refused refused) {
      assertTrue(refused.refusal().status() >= 400 && refused.refusal().status() < 500);
    }
  }

  private static void check(RequestHeaders taken, MultiMap headers) {
    taken
        .sessionId()
        .ifPresent(
            id -> {
              assertEquals(1, headers.getAll(Headers.SESSION).size());
              assertTrue(id.length() <= 256 && id.matches("[\\x21-\\x7e]+"), id);
            });
    taken
        .lastEventId()
        .flatMap(EventId::parse)
        .ifPresent(
            event -> {
              assertEquals(taken.lastEventId().get(), event.format());
              assertTrue(event.sequence() >= 0 && event.format().length() <= 64);
            });
    taken.call().ifPresent(number -> assertTrue(number > 0));
    assertFalse(taken.accept().streamFirst() && !taken.accept().stream());
    taken.checkVersion();
  }
}
