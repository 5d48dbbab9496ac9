package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.McpSocket.Event;
import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How long the connections of streams live, what is written into silence, and who is cut. */
class SinksIT {
  private static final String READ =
      McpSession.request("1", "resources/read", "{\"uri\":\"test://r\"}");

  private final ScriptedBackend backend = new ScriptedBackend("demo");
  private TestGateway gateway;
  private LoggedErrors errors;

  @BeforeEach
  void watch() {
    errors = LoggedErrors.watch();
  }

  @AfterEach
  void stop() {
    gateway.close();
    errors.close();
  }

  @Test
  @DisplayName("streams 16, lifecycle 26: comments fill silence on GET, pending POST and resume")
  void commentsFillSilence() throws Exception {
    gateway = TestGateway.start("limits.keep-alive = 200ms", backend);
    McpSession session = McpSession.open(gateway.port());
    McpSocket standalone = session.get();
    McpSocket post = session.post(McpSession.call("1"));
    String cursor = post.next().orElseThrow().id();
    OpenCall call = backend.nextCall();
    expectComments(standalone);
    expectComments(post);
    call.note("seen");
    post.message();
    expectComments(post);
    McpSocket resumed = session.resume(cursor);
    resumed.message();
    expectComments(resumed);
    McpSocket read = session.post(READ);
    backend.nextCall();
    expectComments(read);
    assertEquals("text/event-stream", read.header("Content-Type").orElseThrow());
  }

  /** Three comments, none of which comes long after the one before. */
  private static void expectComments(McpSocket stream) throws Exception {
    long last = 0;
    for (int i = 0; i < 3; last = System.nanoTime()) {
      Event event = stream.next().orElseThrow();
      i += event.comment().equals("keep-alive") ? 1 : 0;
      assertTrue(event.data().isEmpty());
      long gap = last == 0 ? 0 : (System.nanoTime() - last) / 1_000_000;
      assertTrue(gap < 1_000, "silent for ms=" + gap);
    }
  }

  @Test
  @DisplayName(
      "streams 17, lifecycle 48: a connection of the configured age ends with a hint, the call goes on")
  void agedConnectionIsToComeBack() throws Exception {
    gateway = TestGateway.start("limits.stream-age = 200ms", backend);
    McpSession session = McpSession.open(gateway.port());
    McpSocket post = session.post(McpSession.call("1"));
    String cursor = post.next().orElseThrow().id();
    OpenCall call = backend.nextCall();
    for (McpSocket leg = post; ; leg = session.resume(cursor)) {
      Optional<Event> last = leg.next();
      String retry = "";
      for (; last.isPresent(); last = leg.next()) {
        retry = last.get().retry();
      }
      assertEquals("1000", retry);
      if (leg != post) {
        break;
      }
    }
    call.answer("kept");
    assertTrue(session.resume(cursor).message().data().contains("kept"));
    assertTrue(call.cancelled.isEmpty());
  }

  @Test
  @DisplayName("streams 17: a client that was told no id yet is not sent away")
  void clientWithoutACursorIsKept() throws Exception {
    gateway = TestGateway.start("limits.stream-age = 100ms", backend);
    McpSession older = McpSession.open(gateway.port(), "/mcp", "2025-06-18");
    McpSocket post = older.post(McpSession.call("1"));
    OpenCall call = backend.nextCall();
    long begin = System.nanoTime();
    McpSocket standalone = older.get();
    assertEquals(List.of(), standalone.rest());
    assertTrue(System.nanoTime() - begin >= Duration.ofMillis(90).toNanos());
    call.answer("on the same connection");
    assertTrue(post.message().data().contains("on the same connection"));
  }

  @Test
  @DisplayName("SEP-1699: a backend's wish to be polled reaches only clients that can come back")
  void polledCallIsAnsweredOnWhateverItsClientHas() throws Exception {
    gateway = TestGateway.start("", backend);
    McpSession session = McpSession.open(gateway.port());
    McpSocket json = session.postTaking("application/json", McpSession.call("1"));
    OpenCall first = backend.nextCall();
    McpSocket either = session.post(READ);
    OpenCall second = backend.nextCall();
    McpSocket stream = session.post(McpSession.call("2"));
    String cursor = stream.next().orElseThrow().id();
    OpenCall third = backend.nextCall();
    for (OpenCall call : List.of(first, second, third)) {
      backend.onLoop(() -> call.listener.polled(Duration.ofMillis(70)));
    }
    assertEquals("70", stream.next().orElseThrow().retry());
    assertEquals(List.of(), stream.rest());
    first.answer("one");
    second.answer("two");
    third.answer("three");
    assertTrue(json.body().contains("one"));
    assertTrue(either.body().contains("two"));
    assertTrue(session.resume(cursor).message().data().contains("three"));
  }

  @Test
  @DisplayName("streams 12: a JSON answer whose stream is taken over by a resume ends too")
  void pendingJsonAnswerIsTakenOver() throws Exception {
    gateway = TestGateway.start("", backend);
    McpSession session = McpSession.open(gateway.port());
    McpSocket post = session.post(READ, "Fairlead-Call: 5");
    OpenCall call = backend.nextCall();
    McpSocket newcomer = session.resume("c5-0");
    assertEquals(200, newcomer.status());
    assertTrue(post.body().contains("\"taken_over\""));
    call.answer("here");
    assertTrue(newcomer.message().data().contains("here"));
    assertEquals(0, gateway.holdings().sinks());
  }

  @Test
  @DisplayName("streams 18: who reads nothing is cut, and may resume what is still held")
  void readerOfNothingIsCut() throws Exception {
    gateway = TestGateway.start("limits { slow-reader-timeout = 2s, keep-alive = 100ms }", backend);
    McpSession session = McpSession.open(gateway.port());
    String big = "x".repeat(128 * 1024);
    int notes = 0;
    OpenCall call;
    try (McpSocket deaf = session.post(McpSession.call("1"), "Fairlead-Call: 1")) {
      assertEquals(200, deaf.status());
      call = backend.nextCall();
      for (; call.pauses == 0; notes++) {
        assertTrue(notes < 1_000, "the source is never paused");
        call.note(big);
      }
      TestGateway.until("it is cut", () -> gateway.holdings().sinks() == 0);
      assertEquals(call.pauses, call.resumes, "the source goes on");
    }
    assertTrue(call.cancelled.isEmpty());
    call.answer("the end");
    try (McpSocket resumed = session.resume("c1-0")) {
      List<Event> events = resumed.rest();
      assertTrue(events.get(events.size() - 1).data().contains("the end"));
      for (int i = 0; i < events.size(); i++) {
        assertEquals("c1-" + (notes + 1 - events.size() + 1 + i), events.get(i).id());
      }
    }
  }

  @Test
  @DisplayName("lifecycle 115: a client that reads nothing does not hold the drain up")
  void drainIsNotHeldUpByADeafClient() throws Exception {
    gateway = TestGateway.start("", backend);
    McpSession session = McpSession.open(gateway.port());
    try (McpSocket stream = session.post(McpSession.call("1"));
        McpSocket json = session.postTaking("application/json", McpSession.call("2"))) {
      String large = "x".repeat(16 * 1024 * 1024);
      for (int i = 0; i < 2; i++) {
        backend.nextCall().answer(large);
      }
      long begin = System.nanoTime();
      gateway.drain();
      assertTrue(System.nanoTime() - begin < Duration.ofSeconds(5).toNanos());
      assertEquals(200, stream.status());
      assertEquals(200, json.status());
    }
  }

  @Test
  @DisplayName("lifecycle 115: a drain with 200 open streams ends in time, each properly")
  void drainEndsManyStreams() throws Exception {
    gateway = TestGateway.start("", backend);
    List<McpSocket> open = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      McpSession session = McpSession.open(gateway.port());
      open.add(session.get());
      open.add(session.post(McpSession.call("1")));
      backend.nextCall();
    }
    for (McpSocket each : open) {
      assertEquals(200, each.status());
    }
    long begin = System.nanoTime();
    gateway.drain();
    assertTrue(System.nanoTime() - begin < Duration.ofSeconds(5).toNanos());
    for (int i = 0; i < open.size(); i++) {
      assertEquals(i % 2, open.get(i).rest().size(), "the answer that the outcome is unknown");
    }
  }
}
