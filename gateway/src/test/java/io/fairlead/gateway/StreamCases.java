package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.McpSocket.Event;
import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cuts, resumes and races, as they must be whichever way the gateway is run. Its backend speaks
 * HTTP, and is another gateway in the test, behind which the test speaks every word.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StreamCases {

  /** A gateway, run in one of the ways. */
  interface Way extends AutoCloseable {

    int port() throws Exception;

    /** Puts another configuration in force, if this way can. */
    void change(String hocon) throws Exception;

    @Override
    void close();
  }

  private static final int RETAINED = 8;

  private final ScriptedBackend backend = new ScriptedBackend("demo");
  private TestGateway behind;
  private Way way;
  private String config;
  private McpSession session;

  abstract Way start(Path directory, String hocon) throws Exception;

  @BeforeAll
  void startBoth(@TempDir Path directory) throws Exception {
    behind = TestGateway.start("", backend);
    config =
        """
        shutdown.drain = 200ms
        events.max-events-per-stream = %d
        backends.remote { type = http, url = "http://127.0.0.1:%d/mcp" }
        """
            .formatted(RETAINED, behind.port());
    way = start(directory, config);
  }

  @AfterAll
  void stopBoth() {
    way.close();
    behind.close();
    assertTrue(backend.isQuiet(), "executed twice");
  }

  @BeforeEach
  void open() throws Exception {
    session = McpSession.open(way.port());
  }

  @Test
  @DisplayName("streams 2, 13: an answer that came while nobody was there reaches every resume")
  void answerWaitsForTheClient() throws Exception {
    McpSocket first = session.post(McpSession.call("1"));
    String start = first.next().orElseThrow().id();
    OpenCall call = backend.nextCall();
    first.reset();
    call.answer("kept");
    for (int i = 0; i < 2; i++) {
      try (McpSocket resumed = session.resume(start)) {
        assertTrue(resumed.message().data().contains("kept"));
      }
    }
    assertTrue(call.cancelled.isEmpty(), "a disconnect is not a cancel");
  }

  @Test
  @DisplayName("streams 1: the tool finishes while the resume is being served")
  void toolFinishesDuringTheResume() throws Exception {
    for (int i = 0; i < 25; i++) {
      McpSocket first = session.post(McpSession.call("1"));
      String start = first.next().orElseThrow().id();
      OpenCall call = backend.nextCall();
      call.note("n");
      first.close();
      try (McpSocket resumed = session.resume(start)) {
        call.answer("r" + i);
        List<Event> events = resumed.rest();
        assertEquals(2, events.size(), events::toString);
        assertTrue(events.get(1).data().contains("r" + i));
      }
    }
  }

  @Test
  @DisplayName("streams 2: cut after every event, the union is complete and free of repeats")
  void cutAfterEveryEventLosesNothing() throws Exception {
    McpSocket connection = session.post(McpSession.call("1"));
    connection.next();
    OpenCall call = backend.nextCall();
    List<String> seen = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      call.note("n" + i);
      Event event = connection.message();
      seen.add(event.data());
      connection.reset();
      connection = session.resume(event.id());
      assertEquals(200, connection.status());
    }
    call.answer("end");
    connection.rest().forEach(event -> seen.add(event.data()));
    connection.close();
    assertEquals(7, seen.size());
    assertEquals(7, new HashSet<>(seen).size());
  }

  @Test
  @DisplayName("streams 12, B58: a resume takes over from a connection that still looks alive")
  void resumeTakesOver() throws Exception {
    McpSocket old = session.post(McpSession.call("1"));
    String start = old.next().orElseThrow().id();
    OpenCall call = backend.nextCall();
    McpSocket newcomer = session.resume(start);
    assertEquals(200, newcomer.status());
    assertEquals(List.of(), old.rest());
    call.answer("x");
    assertEquals(1, newcomer.rest().size());
  }

  @Test
  @DisplayName("a call is resumed by its own number when not one byte of its response arrived")
  void callIsResumedByItsNumber() throws Exception {
    McpSocket lost = session.post(McpSession.call("1"), "Fairlead-Call: 1");
    OpenCall call = backend.nextCall();
    lost.reset();
    call.answer("found");
    try (McpSocket resumed = session.resume("c1-0")) {
      assertTrue(resumed.message().data().contains("found"));
    }
    try (McpSocket fenced = session.resume("c2-0")) {
      assertEquals(400, fenced.status());
      assertTrue(fenced.body().contains("\"reason\":\"not_dispatched\""));
    }
  }

  @Test
  @DisplayName("streams 7: the bounds of the event store hold, and the result goes last")
  void boundsOfTheStoreHold() throws Exception {
    McpSocket first = session.post(McpSession.call("1"));
    String start = first.next().orElseThrow().id();
    OpenCall call = backend.nextCall();
    for (int i = 0; i < 3 * RETAINED; i++) {
      call.note("n" + i);
    }
    call.answer("last");
    first.rest();
    try (McpSocket resumed = session.resume(start)) {
      List<Event> events = resumed.rest();
      assertTrue(events.size() <= RETAINED, events::toString);
      assertTrue(events.get(events.size() - 1).data().contains("last"), events::toString);
    }
  }

  @Test
  @DisplayName("another configuration comes into force in the middle of a call that was cut")
  void resultOfACutCallSurvivesAReload() throws Exception {
    McpSocket first = session.post(McpSession.call("1"));
    String start = first.next().orElseThrow().id();
    OpenCall call = backend.nextCall();
    call.note("before");
    String cursor = first.message().id();
    first.reset();
    way.change(config + "limits.calls = 7\nbackends.demo.type = local\n");
    call.note("after");
    call.answer("survived");
    for (String from : List.of(start, cursor)) {
      try (McpSocket resumed = session.resume(from)) {
        List<Event> events = resumed.rest();
        assertEquals(from.equals(start) ? 3 : 2, events.size(), events::toString);
        assertTrue(events.get(events.size() - 1).data().contains("survived"));
      }
    }
    assertTrue(call.cancelled.isEmpty());
    assertTrue(backend.isQuiet(), "executed twice");
    way.change(config);
  }
}
