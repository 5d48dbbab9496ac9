package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The stream that belongs to no call, on bare sockets. */
class StandaloneStreamIT {
  private final ScriptedBackend backend = new ScriptedBackend("demo");
  private TestGateway gateway;
  private McpSession session;

  @BeforeEach
  void start() throws Exception {
    gateway = TestGateway.start("", backend);
    session = McpSession.open(gateway.port());
  }

  @AfterEach
  void stop() throws Exception {
    gateway.close();
  }

  private void waitForSinks(int sinks) {
    TestGateway.until("sinks=" + sinks, () -> gateway.holdings().sinks() == sinks);
  }

  @Test
  @DisplayName("streams 12, B19, L33: the standalone stream is taken over, twenty times")
  void standaloneStreamIsReopened() throws Exception {
    McpSocket open = session.get();
    assertEquals(200, open.status());
    for (int i = 0; i < 20; i++) {
      McpSocket next = session.get();
      assertEquals(200, next.status());
      assertEquals(List.of(), open.rest());
      open = next;
      waitForSinks(1);
    }
    backend
        .links
        .get(0)
        .say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
  }

  @Test
  @DisplayName(
      "B4, B24, B30: the standalone stream is resumed; without a cursor nothing is replayed")
  void standaloneStreamIsResumed() throws Exception {
    McpSocket call =
        session.post(McpSession.request("1", "resources/subscribe", "{\"uri\":\"test://r\"}"));
    McpSocket stream = session.get();
    assertEquals(200, stream.status());
    OpenCall subscribe = backend.nextCall();
    subscribe.answer("ok");
    assertEquals(200, call.status());
    ScriptedBackend.OpenLink link = backend.links.get(backend.links.size() - 1);
    link.say(updated(0));
    String cursor = stream.message().id();
    stream.reset();
    waitForSinks(0);
    for (int i = 1; i <= 5; i++) {
      link.say(updated(i));
    }
    McpSocket resumed = session.resume(cursor);
    for (int i = 1; i <= 5; i++) {
      assertTrue(resumed.message().data().contains("test://r?" + i));
    }
    McpSocket fresh = session.get();
    assertEquals(200, fresh.status());
    link.say(updated(6));
    assertTrue(fresh.message().data().contains("test://r?6"));
  }

  private static String updated(int n) {
    return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"test://r?"
        + n
        + "\"}}";
  }
}
