package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How sessions end, and what keeps them. */
class SessionEndsIT extends GatewayBench {
  @Test
  @DisplayName("lifecycle 17, 20, L22: an idle time shorter than the call does not end it")
  void callOutlivesTheIdleTime() throws Exception {
    start("sessions.idle-timeout = 1s");
    McpSession session = McpSession.open(gateway.port());
    McpSocket post = session.post(McpSession.call("1"));
    OpenCall call = backend.nextCall();
    McpSession other = McpSession.open(gateway.port());
    TestGateway.until("the other expires", () -> gateway.holdings().sessions() == 1);
    other.post(PING).expect(404);
    call.answer("late");
    assertTrue(post.message().data().contains("late"));
    session.post(PING).expect(200);
    TestGateway.until("it expires too", () -> gateway.holdings().equals(NOTHING));
    session.post(PING).expect(404);
  }

  @Test
  @DisplayName("lifecycle 18: an open stream keeps the session; its end starts the idle time")
  void openStreamIsPresence() throws Exception {
    start("sessions.idle-timeout = 1s");
    McpSession kept = McpSession.open(gateway.port());
    McpSocket stream = kept.get();
    assertEquals(200, stream.status());
    for (int i = 0; i < 3; i++) {
      McpSession other = McpSession.open(gateway.port());
      TestGateway.until("others expire", () -> gateway.holdings().sessions() == 1);
      other.post(PING).expect(404);
    }
    kept.post(PING).expect(200);
    stream.close();
    TestGateway.until("it expires", () -> gateway.holdings().equals(NOTHING));
  }

  @Test
  @DisplayName("lifecycle 17, 23: work without its client is cancelled after the abandon time")
  void abandonedCallIsCancelled() throws Exception {
    start("sessions { abandon-timeout = 300ms, idle-timeout = 100ms }");
    McpSession session = McpSession.open(gateway.port());
    McpSocket post = session.post(McpSession.call("1"));
    post.next();
    OpenCall call = backend.nextCall();
    post.reset();
    assertEquals("abandoned", call.cancelled.take());
    TestGateway.until("it is gone", () -> gateway.holdings().equals(NOTHING));
  }

  @Test
  @DisplayName("lifecycle 27: at its maximum age a session ends, never within a request")
  void sessionEndsAtItsMaximumAge() throws Exception {
    start("sessions.max-age = 1s");
    McpSession idle = McpSession.open(gateway.port());
    McpSocket standalone = idle.get();
    assertEquals(200, standalone.status());
    McpSession busy = McpSession.open(gateway.port());
    McpSocket post = busy.post(McpSession.call("1"));
    OpenCall call = backend.nextCall();
    assertEquals(List.of(), standalone.rest());
    idle.post(PING).expect(404);
    TestGateway.until("nothing new begins", () -> isRefused(busy));
    assertEquals(1, gateway.holdings().calls());
    call.note("still there");
    call.answer("in its own time");
    List<McpSocket.Event> events = post.rest();
    assertEquals(2, events.size());
    assertTrue(events.get(1).data().contains("in its own time"));
    TestGateway.until("it is gone", () -> gateway.holdings().equals(NOTHING));
    busy.get().expect(404);
    busy.delete().expect(404);
    McpSession.open(gateway.port());
  }

  private static boolean isRefused(McpSession session) {
    try (McpSocket ping = session.post(PING)) {
      return ping.status() == 404;
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  @DisplayName("lifecycle 10: a session that nobody goes on to use is removed")
  void unconfirmedSessionIsRemoved() throws Exception {
    start("sessions.initialized-timeout = 1s");
    try (McpSocket init = send("POST", INITIALIZE)) {
      String id = init.header("mcp-session-id").orElseThrow();
      TestGateway.until("it is removed", () -> gateway.holdings().equals(NOTHING));
      send("POST", PING, "Mcp-Session-Id: " + id).expect(404);
    }
  }

  @Test
  @DisplayName("lifecycle 29, 30, 33: at the cap the longest idle session goes, busy ones never")
  void capEvictsTheLongestIdle() throws Exception {
    start("sessions.max = 2");
    McpSession first = McpSession.open(gateway.port());
    McpSession second = McpSession.open(gateway.port());
    first.post(PING).expect(200);
    McpSession third = McpSession.open(gateway.port());
    second.post(PING).expect(404);
    List<McpSocket> open = new ArrayList<>();
    for (McpSession busy : List.of(first, third)) {
      McpSocket stream = busy.get();
      assertEquals(200, stream.status());
      open.add(stream);
    }
    try (McpSocket refused = send("POST", INITIALIZE)) {
      assertEquals(503, refused.status());
      assertTrue(refused.header("retry-after").isPresent());
      assertTrue(refused.header("mcp-session-id").isEmpty());
    }
    first.post(PING).expect(200);
    open.get(1).close();
    TestGateway.until("its stream is gone", () -> gateway.holdings().sinks() == 1);
    McpSession.open(gateway.port());
    third.post(PING).expect(404);
  }
}
