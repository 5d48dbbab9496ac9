package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.McpSocket.Event;
import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Cutting and resuming streams, on bare sockets, beside the {@link StreamCases} that hold whichever
 * way the gateway is run.
 */
class StreamsIT {
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
  @DisplayName("streams 2, 13: an answer that came while nobody was there reaches every resume")
  void answerWaitsForTheClient() throws Exception {
    McpSocket first = session.post(McpSession.call("1"));
    Event priming = first.next().orElseThrow();
    assertTrue(priming.id().endsWith("-0"), priming.id());
    assertEquals("1000", priming.retry());
    OpenCall call = backend.nextCall();
    first.reset();
    waitForSinks(0);
    call.answer("kept");
    for (int i = 0; i < 2; i++) {
      try (McpSocket resumed = session.resume(priming.id())) {
        assertEquals(200, resumed.status());
        List<Event> events = resumed.rest();
        assertEquals(1, events.size());
        assertTrue(events.get(0).data().contains("kept"));
      }
    }
    assertTrue(call.cancelled.isEmpty(), "a disconnect is not a cancel");
    assertTrue(backend.isQuiet(), "dispatched twice");
    try (McpSocket ping = session.post(McpSession.request("2", "ping", "{}"))) {
      assertEquals(200, ping.status());
    }
  }

  @Test
  @DisplayName("B1, streams 4, 17: a resume that has nothing to tell yet still gives a cursor")
  void silentResumeRepeatsTheCursor() throws Exception {
    McpSocket first = session.post(McpSession.call("1"));
    String start = first.next().orElseThrow().id();
    OpenCall call = backend.nextCall();
    first.reset();
    for (int i = 0; i < 3; i++) {
      McpSocket silent = session.resume(start);
      Event repeated = silent.next().orElseThrow();
      assertEquals(start, repeated.id());
      assertEquals("", repeated.data());
      silent.reset();
    }
    call.answer("kept");
    McpSocket last = session.resume(start);
    List<Event> events = last.rest();
    assertEquals(1, events.size());
    assertTrue(events.get(0).data().contains("kept"));
  }

  @Test
  @DisplayName("streams 3, L36: resuming at the final id is a short 200, and not for ever")
  void emptyResumesAreSlowed() throws Exception {
    McpSocket post = session.post(McpSession.call("1"));
    backend.nextCall().answer("x");
    List<Event> events = post.rest();
    String last = events.get(events.size() - 1).id();
    for (int i = 0; i < 10; i++) {
      try (McpSocket resumed = session.resume(last)) {
        assertEquals(200, resumed.status());
        assertEquals(List.of(), resumed.rest());
      }
    }
    try (McpSocket refused = session.resume(last)) {
      assertEquals(429, refused.status());
      assertTrue(refused.header("retry-after").isPresent());
    }
  }

  @Test
  @DisplayName("streams 6, B16, B28: a cursor that is not this session's is 400 and harms nothing")
  void badCursorsAreRefused() throws Exception {
    McpSession other = McpSession.open(gateway.port());
    McpSocket foreign = other.post(McpSession.call("1"));
    String foreignId = foreign.next().orElseThrow().id();
    McpSocket own = session.post(McpSession.call("1"));
    String ownId = own.next().orElseThrow().id();
    String stream = ownId.substring(0, ownId.lastIndexOf('-'));
    String body = "";
    for (String unknown :
        List.of(foreignId, stream + "-7", "AAAAAAAAAAAAAAAA-1", stream + "-99999999999999999")) {
      try (McpSocket answer = session.resume(unknown)) {
        assertEquals(400, answer.status(), unknown);
        String text = answer.body();
        assertTrue(text.contains("\"reason\":\"unknown_event\""), text);
        assertTrue(body.isEmpty() || body.equals(text), "foreign must look like unknown");
        body = text;
      }
    }
    for (String malformed :
        List.of(
            "x",
            stream,
            stream + "--1",
            stream + "-01",
            "a".repeat(10_000),
            "é-1",
            stream + "-1 ")) {
      try (McpSocket answer = session.resume(malformed)) {
        assertTrue(answer.status() == 400 || answer.status() == 431, malformed);
      }
    }
    try (McpSocket twice = session.get("Last-Event-ID: " + ownId, "Last-Event-ID: " + ownId)) {
      assertEquals(400, twice.status());
    }
    try (McpSocket ping = session.post(McpSession.request("2", "ping", "{}"))) {
      assertEquals(200, ping.status());
    }
  }

  @Test
  @DisplayName("streams 7: a stream that was kept as long as promised is gone, and said to be")
  void expiredStreamIsEvicted() throws Exception {
    ScriptedBackend own = new ScriptedBackend("demo");
    try (TestGateway brief = TestGateway.start("events { ttl = 200ms, retry = 50ms }", own)) {
      McpSession client = McpSession.open(brief.port());
      McpSocket post = client.post(McpSession.call("1"));
      String start = post.next().orElseThrow().id();
      own.nextCall().answer("x");
      post.rest();
      TestGateway.until("it is forgotten", () -> brief.holdings().streams() == 0);
      try (McpSocket gone = client.resume(start)) {
        assertEquals(400, gone.status());
        assertTrue(gone.body().contains("\"reason\":\"evicted\""));
      }
    }
  }

  @Test
  @DisplayName("streams 14, 15: priming only for 2025-11-25; older clients still get ids")
  void olderRevisionsAreNotPrimed() throws Exception {
    McpSession older = McpSession.open(gateway.port(), "/mcp", "2025-06-18");
    try (McpSocket post = older.post(McpSession.call("1"))) {
      Optional<Event> first = post.next();
      assertEquals("", first.orElseThrow().id());
      assertFalse(first.orElseThrow().comment().isEmpty());
      backend.nextCall().answer("x");
      assertTrue(post.message().id().endsWith("-1"));
    }
  }

  @Test
  @DisplayName("streams 20, L45: two calls with one id each get their own answer; types differ")
  void sameIdTwice() throws Exception {
    McpSocket one = session.post(McpSession.call("1"));
    OpenCall first = backend.nextCall();
    McpSocket two = session.post(McpSession.call("1"));
    OpenCall second = backend.nextCall();
    second.answer("second");
    first.answer("first");
    assertTrue(one.message().data().contains("first"));
    assertTrue(two.message().data().contains("second"));
    for (String id : List.of("\"1\"", "0", "\"\"", "-5", "9007199254740993", "\"\\u00e9x\"")) {
      McpSocket post = session.post(McpSession.call(id));
      backend.nextCall().answer("x");
      assertTrue(post.message().data().contains("\"id\":" + id + ","), id);
    }
  }

  @Test
  @DisplayName("streams 5: stream names are random and never repeat")
  void streamNamesDoNotRepeat() throws Exception {
    Set<String> names = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      try (McpSocket post = session.post(McpSession.call("1"))) {
        String id = post.next().orElseThrow().id();
        assertTrue(id.length() <= 64 && id.matches("[!-~]+"));
        names.add(id.substring(0, id.lastIndexOf('-')));
        backend.nextCall().answer("x");
      }
    }
    assertEquals(50, names.size());
  }

  @Test
  @DisplayName("streams 18: ten thousand events appended in one turn reach a healthy client")
  void burstReachesAHealthyClient() throws Exception {
    McpSocket post = session.post(McpSession.call("1"));
    post.next();
    OpenCall call = backend.nextCall();
    Thread burst =
        new Thread(
            () ->
                backend.onLoop(
                    () -> {
                      for (int i = 0; i < 10_000; i++) {
                        call.listener.message(
                            backend.envelope(
                                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\""
                                    + i
                                    + "\"}}"));
                      }
                      call.answerNow("end");
                    }));
    burst.start();
    List<Event> events = post.rest();
    burst.join();
    assertEquals(10_001, events.size());
    for (int i = 0; i < 10_000; i++) {
      assertTrue(events.get(i).id().endsWith("-" + (i + 1)));
    }
  }

  @Test
  @DisplayName("B3, B126: a reader that never reads does not hold up another call of its session")
  void stuckReaderHoldsNobodyUp() throws Exception {
    McpSocket stuck = session.post(McpSession.call("1"));
    stuck.next();
    OpenCall noisy = backend.nextCall();
    String big = "x".repeat(64 * 1024);
    for (int i = 0; i < 200; i++) {
      noisy.note(big);
    }
    TestGateway.until("the source is paused", () -> noisy.pauses > 0);
    McpSocket other = session.post(McpSession.call("2"));
    backend.nextCall().answer("through");
    assertTrue(other.message().data().contains("through"));
  }

  @Test
  @DisplayName(
      "streams 22, lifecycle 42: DELETE ends every stream properly and cancels at the backend")
  void deleteEndsStreams() throws Exception {
    McpSocket post = session.post(McpSession.call("1"));
    OpenCall call = backend.nextCall();
    McpSocket standalone = session.get();
    assertEquals(200, standalone.status());
    try (McpSocket deleted = session.delete()) {
      assertEquals(204, deleted.status());
    }
    assertEquals(List.of(), post.rest());
    assertEquals(List.of(), standalone.rest());
    assertEquals(1, call.cancelled.size());
    assertEquals(1, backend.closed.size());
    assertEquals(new TestGateway.Holdings(0, 0, 0, 0, 0, 0), gateway.holdings());
    try (McpSocket again = session.delete()) {
      assertEquals(404, again.status());
    }
  }

  @Test
  @DisplayName("streams 26: a call whose handler died stays open; cancelling it cleans up")
  void deadHandlerIsEndedByCancelAlone() throws Exception {
    McpSocket post = session.post(McpSession.call("7"));
    post.next();
    OpenCall call = backend.nextCall();
    cancel("7");
    assertEquals(List.of(), post.rest());
    assertEquals("cancelled by the client", call.cancelled.take());
    call.answer("late");
    assertEquals(0, gateway.holdings().calls());
    assertTrue(backend.isQuiet());
  }

  private void cancel(String id) throws IOException {
    try (McpSocket cancelled =
        session.post(
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":"
                + id
                + "}}")) {
      assertEquals(202, cancelled.status());
    }
  }
}
