package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.McpSocket.Event;
import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a client that comes back finds: all of it, or the truth about what is missing. */
class StreamLossIT extends GatewayBench {
  private McpSession session;

  @Override
  protected void start(String config) throws Exception {
    super.start(config);
    session = McpSession.open(gateway.port());
  }

  /** A call whose client has left; the id from which it can be resumed. */
  private String leave(McpSocket post) throws Exception {
    String start = post.next().orElseThrow().id();
    post.reset();
    TestGateway.until("it left", () -> gateway.holdings().sinks() == 0);
    return start;
  }

  @Test
  @DisplayName("streams 7: notifications that gave way are told as a gap, the answer arrives")
  void gapIsToldAndTheAnswerArrives() throws Exception {
    start("events.max-events-per-stream = 4");
    McpSocket post = session.post(McpSession.call("1"));
    OpenCall call = backend.nextCall();
    String start = leave(post);
    for (int i = 0; i < 10; i++) {
      call.note("n" + i);
    }
    call.answer("end");
    McpSocket resumed = session.resume(start);
    assertEquals(200, resumed.status());
    Event event = resumed.next().orElseThrow();
    while (!event.comment().startsWith("gap")) {
      assertEquals("", event.data());
      event = resumed.next().orElseThrow();
    }
    assertEquals("gap 7", event.comment());
    List<Event> events = resumed.rest();
    assertEquals(4, events.size());
    assertTrue(events.get(3).data().contains("end"));
  }

  @Test
  @DisplayName("streams 7: a result that is no longer held is told so, on the stream")
  void evictedResultIsToldOnTheStream() throws Exception {
    start("events.max-bytes-per-stream = 16KiB");
    McpSocket post = session.post(McpSession.call("1"));
    OpenCall call = backend.nextCall();
    String start = leave(post);
    call.answer("x".repeat(32 * 1024));
    for (int i = 0; i < 2; i++) {
      McpSocket resumed = session.resume(start);
      assertEquals(200, resumed.status());
      String told = resumed.message().data();
      assertTrue(told.contains("\"id\":1,"), told);
      assertTrue(told.contains("\"state\":\"completed_result_evicted\""), told);
      assertTrue(told.contains("\"retryable\":false"), told);
      assertEquals(List.of(), resumed.rest());
    }
    try (McpSocket ping = session.post(McpSession.request("2", "ping", "{}"))) {
      assertEquals(200, ping.status());
    }
    assertTrue(backend.isQuiet(), "run again");
  }

  @Test
  @DisplayName("streams 9: an answer above the bound of its stream reaches who is connected")
  void oversizedAnswerIsDeliveredLive() throws Exception {
    start("events.max-bytes-per-stream = 16KiB");
    McpSocket post = session.post(McpSession.call("1"));
    OpenCall call = backend.nextCall();
    String large = "x".repeat(1024 * 1024);
    call.answer(large);
    String data = post.message().data();
    assertTrue(data.contains(large));
    assertFalse(data.contains("evicted"));
    assertEquals(List.of(), post.rest());
  }
}
