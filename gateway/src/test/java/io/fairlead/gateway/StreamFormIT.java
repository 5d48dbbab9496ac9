package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.McpSocket.Event;
import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What stands on a stream besides the answer, and what the gateway does to its connections. */
class StreamFormIT extends GatewayBench {
  private static final String LIST_CHANGED =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}";
  private static final String UPDATED =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\","
          + "\"params\":{\"uri\":\"test://r\"}}";

  private McpSession session;

  @Override
  protected void start(String config) throws Exception {
    super.start(config);
    session = McpSession.open(gateway.port());
  }

  @Test
  @DisplayName("streams 14: no priming on initialize, and none where it is off")
  void primingIsLeftOut() throws Exception {
    start("events.priming = off");
    McpSocket post = session.post(McpSession.call("1"));
    assertEquals("", post.next().orElseThrow().id());
    backend.nextCall().answer("x");
    assertTrue(post.message().id().endsWith("-1"), "real events still have ids");
    try (TestGateway primed = TestGateway.start("", new ScriptedBackend("demo"));
        McpSocket initialize =
            McpSocket.send(
                primed.port(), "POST", "/mcp", INITIALIZE, "Accept: text/event-stream")) {
      assertEquals("text/event-stream", initialize.header("content-type").orElseThrow());
      for (Event event = initialize.next().orElseThrow();
          event.data().isEmpty();
          event = initialize.next().orElseThrow()) {
        assertEquals("", event.id());
      }
    }
  }

  @Test
  @DisplayName(
      "streams 16, B82, lifecycle 26: silence is filled with comments, and with nothing else")
  void silenceIsFilledWithComments() throws Exception {
    start("limits.keep-alive = 50ms");
    McpSocket post = session.post(McpSession.call("1"));
    assertTrue(post.next().orElseThrow().id().endsWith("-0"));
    OpenCall call = backend.nextCall();
    McpSocket standalone = session.get();
    assertEquals("open", standalone.next().orElseThrow().comment());
    for (int i = 0; i < 3; i++) {
      assertEquals(new Event("", "", "keep-alive", ""), post.next().orElseThrow());
      assertEquals(new Event("", "", "keep-alive", ""), standalone.next().orElseThrow());
    }
    call.answer("x");
    assertTrue(post.message().id().endsWith("-1"), "a comment is no event");
  }

  @Test
  @DisplayName("streams 17: a connection may be ended for its age; the answer comes on the next")
  void agedConnectionIsEndedWithAHint() throws Exception {
    start("limits.stream-age = 100ms\nevents.retry = 40ms");
    McpSocket post = session.post(McpSession.call("1"));
    String start = post.next().orElseThrow().id();
    OpenCall call = backend.nextCall();
    assertEquals(new Event("", "", "", "40"), post.next().orElseThrow());
    assertEquals(List.of(), post.rest());
    call.answer("kept");
    assertTrue(session.resume(start).message().data().contains("kept"));
    assertTrue(call.cancelled.isEmpty());
  }

  @Test
  @DisplayName("streams 14, 17: who fails on a retry hint gets an id to resume from, and no hint")
  void hintIsLeftOutForWhoFailsOnIt() throws Exception {
    start("limits.stream-age = 100ms");
    String agent = "User-Agent: Java-http-client/17.0.15";
    McpSocket post = session.post(McpSession.call("1"), agent);
    Event priming = post.next().orElseThrow();
    assertEquals(new Event(priming.id(), "", "", ""), priming);
    assertTrue(priming.id().endsWith("-0"));
    OpenCall call = backend.nextCall();
    assertEquals(List.of(), post.rest());
    McpSocket resumed = session.get("Last-Event-ID: " + priming.id(), agent);
    assertEquals(priming, resumed.next().orElseThrow());
    call.answer("kept");
    assertTrue(session.resume(priming.id()).message().data().contains("kept"));
  }

  @Test
  @DisplayName("streams 18: a client that reads nothing is cut, and may resume")
  void clientThatReadsNothingIsCut() throws Exception {
    start("limits { keep-alive = 100ms, slow-reader-timeout = 2s }");
    McpSocket stuck = session.post(McpSession.call("1"));
    String start = stuck.next().orElseThrow().id();
    OpenCall call = backend.nextCall();
    for (int i = 0; i < 200; i++) {
      call.note("x".repeat(64 * 1024));
    }
    TestGateway.until("it is cut", () -> gateway.holdings().sinks() == 0);
    call.answer("kept");
    assertTrue(lastMessage(start).contains("kept"));
    assertTrue(call.cancelled.isEmpty());
  }

  /** Whom a busy machine keeps from reading is cut too, and comes back as clients do. */
  private String lastMessage(String start) throws Exception {
    String cursor = start;
    String last = "";
    for (int resumed = 0; resumed < 100; resumed++) {
      try (McpSocket socket = session.resume(cursor)) {
        for (var event = socket.next(); event.isPresent(); event = socket.next()) {
          cursor = event.get().id().isEmpty() ? cursor : event.get().id();
          last = event.get().data().isEmpty() ? last : event.get().data();
        }
        return last;
      } catch (IOException cut) {
        // goes on behind the last event that arrived
      }
    }
    throw new AssertionError("cut again and again at cursor=" + cursor);
  }

  @Test
  @DisplayName("streams 25: a question travels on its call's stream; the answer finds who asked")
  void questionTravelsOnTheStreamOfItsCall() throws Exception {
    start("");
    McpSocket other = session.post(McpSession.call("1"));
    OpenCall quiet = backend.nextCall();
    McpSocket post = session.post(McpSession.call("2"));
    OpenCall asking = backend.nextCall();
    asking.say(McpSession.request("77", "elicitation/create", "{\"message\":\"sure?\"}"));
    String question = post.message().data();
    assertTrue(question.contains("sure?"), question);
    String id = question.replaceAll(".*\"id\":(\"[^\"]*\"|[0-9]+).*", "$1");
    String answer = "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"action\":\"accept\"}}";
    try (McpSocket accepted = session.post(answer)) {
      assertEquals(202, accepted.status());
    }
    String arrived = backend.answers.poll(10, TimeUnit.SECONDS);
    assertTrue(arrived.contains("\"id\":77,") && arrived.contains("accept"), arrived);
    quiet.answer("x");
    assertEquals(1, other.rest().size());
  }

  @Test
  @DisplayName("streams 25: the standalone stream brings changes, and updates to who subscribed")
  void standaloneStreamBringsWhatWasAskedFor() throws Exception {
    start("");
    McpSocket standalone = session.get();
    assertEquals(200, standalone.status());
    session.post(McpSession.call("1"));
    backend.nextCall();
    ScriptedBackend.OpenLink link = backend.links.get(backend.links.size() - 1);
    link.say(UPDATED);
    link.say(LIST_CHANGED);
    assertTrue(standalone.message().data().contains("list_changed"), "updated: nobody asked");
    session.post(McpSession.request("2", "resources/subscribe", "{\"uri\":\"test://r\"}"));
    backend.nextCall().answer("ok");
    link.say(UPDATED);
    assertTrue(standalone.message().data().contains("resources/updated"));
  }
}
