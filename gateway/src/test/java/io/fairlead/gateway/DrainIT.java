package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What becomes of calls and streams when the gateway stops. */
class DrainIT extends GatewayBench {
  @Test
  @DisplayName("lifecycle 115, 116: drain lets calls finish, and ends streams with a hint")
  void drainLetsCallsFinish() throws Exception {
    start("shutdown.drain = 5s");
    McpSession session = McpSession.open(gateway.port());
    McpSocket standalone = session.get();
    assertEquals(200, standalone.status());
    McpSocket post = session.post(McpSession.call("1"));
    OpenCall call = backend.nextCall();
    Thread draining = new Thread(gateway::drain);
    draining.start();
    List<McpSocket.Event> last = new ArrayList<>();
    standalone.next().ifPresent(last::add);
    while (last.get(last.size() - 1).retry().isEmpty()) {
      last.add(standalone.next().orElseThrow());
    }
    assertEquals(List.of(), standalone.rest());
    call.answer("just in time");
    assertTrue(post.message().data().contains("just in time"));
    draining.join(10_000);
    assertFalse(draining.isAlive());
  }

  @Test
  @DisplayName("lifecycle 115: a call that outlasts the drain is told so, on a terminated stream")
  void drainAnswersWhatOutlastsIt() throws Exception {
    start("");
    McpSession session = McpSession.open(gateway.port());
    McpSocket post = session.post(McpSession.call("1"));
    OpenCall call = backend.nextCall();
    gateway.drain();
    List<McpSocket.Event> events = post.rest();
    assertTrue(events.get(0).data().contains("\"state\":\"unknown\""), events.toString());
    assertTrue(events.get(0).data().contains("\"reason\":\"draining\""));
    assertEquals(1, call.cancelled.size());
  }

  @Test
  @DisplayName("lifecycle 115: in stateless mode a call that outlasts the drain is told so too")
  void drainAnswersStatelessCalls() throws Exception {
    start("sessions.mode = stateless");
    McpSocket post = gateway.send("POST", McpSession.call("1"), "Accept: " + McpSocket.BOTH);
    assertEquals(200, post.status());
    OpenCall call = backend.nextCall();
    gateway.drain();
    assertTrue(post.rest().get(0).data().contains("\"reason\":\"draining\""));
    assertEquals(1, call.cancelled.size());
  }
}
