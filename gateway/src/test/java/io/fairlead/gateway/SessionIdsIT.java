package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.session.Session;
import io.fairlead.wire.Revision;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a session's id is made of, and that nothing stands in for it. */
class SessionIdsIT extends GatewayBench {
  private static final int IDS = 100_000;
  private static final int AT_ONCE = 10_000;

  /** Characters of base64url that carry 128 bits. */
  private static final int CHARACTERS = 22;

  private static final String ACCEPT = "Accept: " + McpSocket.BOTH;
  private static final String NOTE =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/roots/list_changed\"}";
  private static final String RESPONSE = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";

  @Test
  @DisplayName("lifecycle 1: ids are visible ASCII, hold 128 bits of chance, and never come twice")
  void idsCannotBeGuessed() throws Exception {
    start("sessions.max = 10");
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < IDS; i += AT_ONCE) {
      ids.addAll(gateway.read(SessionIdsIT::open));
    }
    assertEquals(IDS, ids.size());
    assertTrue(ids.stream().allMatch(id -> id.matches("[\\x21-\\x7e]{" + CHARACTERS + ",256}")));
    for (int i = 0; i < CHARACTERS; i++) {
      int at = i;
      // every place takes each of its 64 values: none of the bits is fixed
      assertEquals(64, ids.stream().map(id -> id.charAt(at)).distinct().count(), "place " + at);
    }
    int before = gateway.holdings().sessions();
    gateway.apply("sessions.max = 11", backend);
    McpSession.open(gateway.port());
    assertEquals(before + 1, gateway.holdings().sessions());
  }

  private static List<String> open(Assembly parts) {
    byte[] params = "{}".getBytes(StandardCharsets.UTF_8);
    Session.Start start = new Session.Start(Principal.ANONYMOUS, "", Revision.LATEST, params);
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      ids.add(
          parts
              .sessions()
              .open(start)
              .fold(
                  Session::id,
                  limit -> {
                    throw new AssertionError(limit);
                  }));
    }
    return ids;
  }

  @Test
  @DisplayName("lifecycle 2, 43: without an id nothing is served, though just one session is open")
  void noSessionStandsInForAMissingId() throws Exception {
    start("");
    McpSession only = McpSession.open(gateway.port());
    for (String message : List.of(PING, McpSession.call("6"), NOTE, RESPONSE)) {
      try (McpSocket refused = send("POST", message)) {
        expectMissing(refused);
      }
    }
    for (String verb : List.of("GET", "DELETE")) {
      try (McpSocket refused = gateway.send(verb, "", "Accept: text/event-stream")) {
        expectMissing(refused);
      }
    }
    assertTrue(backend.isQuiet() && backend.notifications.isEmpty() && backend.answers.isEmpty());
    assertEquals(1, gateway.holdings().sessions());
    only.post(PING).expect(200);
  }

  private static void expectMissing(McpSocket refused) throws Exception {
    assertEquals(400, refused.status());
    String body = refused.body();
    assertTrue(body.contains("-32000") && body.contains("\"session_missing\""), body);
    assertTrue(refused.header("Mcp-Session-Id").isEmpty());
  }

  @Test
  @DisplayName("lifecycle 41: a malformed id is -32600 on each verb, neither told back nor logged")
  void malformedIdTurnsUpNowhere() throws Exception {
    start("");
    McpSession.open(gateway.port());
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    Logger access = (Logger) LoggerFactory.getLogger("io.fairlead");
    Level level = access.getLevel();
    lines.start();
    access.setLevel(Level.DEBUG);
    access.addAppender(lines);
    try {
      for (String id :
          List.of("", "canary 41", "canary" + "x".repeat(251), "canary\u00e9", "canary\u007f")) {
        expectMalformed("Mcp-Session-Id: " + id);
      }
      expectMalformed("Mcp-Session-Id: canary-a", "Mcp-Session-Id: canary-b");
    } finally {
      access.detachAppender(lines);
      access.setLevel(level);
    }
    List<String> logged = lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    assertTrue(logged.toString().contains("reason=malformed"), logged::toString);
    assertFalse(logged.toString().contains("canary"), logged::toString);
  }

  private void expectMalformed(String... ids) throws Exception {
    for (String verb : List.of("POST", "GET", "DELETE")) {
      List<String> headers = new ArrayList<>(List.of(ids));
      headers.add(ACCEPT);
      try (McpSocket refused = gateway.send(verb, PING, headers.toArray(String[]::new))) {
        assertEquals(400, refused.status(), verb + headers);
        String all = refused.head() + refused.body();
        assertTrue(all.contains("-32600"), all);
        assertFalse(all.contains("canary"), all);
      }
    }
  }
}
