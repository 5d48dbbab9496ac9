package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import io.fairlead.gateway.session.CallNumbers.Standing;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calls that a client numbers, so that it can ask about one of which no byte came back. */
class CallNumbersIT {
  private final ScriptedBackend backend = new ScriptedBackend("demo");
  private TestGateway gateway;
  private McpSession session;

  @BeforeEach
  void start() throws Exception {
    gateway = TestGateway.start("limits.body-timeout = 2s", backend);
    session = McpSession.open(gateway.port());
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  private McpSocket call(long number) throws Exception {
    return session.post(McpSession.call("1"), "Fairlead-Call: " + number);
  }

  private static void expect(int status, String reason, McpSocket answer) throws Exception {
    try (answer) {
      assertEquals(status, answer.status());
      String body = answer.body();
      assertTrue(body.contains("\"reason\":\"" + reason + "\""), body);
    }
  }

  @Test
  @DisplayName("contract: a numbered call is resumed from its start though no byte came back")
  void numberedCallIsResumedFromItsStart() throws Exception {
    McpSocket post = call(1);
    OpenCall running = backend.nextCall();
    post.reset();
    McpSocket resumed = session.resume("c1-0");
    assertEquals(200, resumed.status());
    running.answer("kept");
    McpSocket.Event event = resumed.message();
    assertEquals("c1-1", event.id());
    assertTrue(event.data().contains("kept"));
  }

  @Test
  @DisplayName("contract: a number that never arrived is fenced; its late POST runs nothing")
  void unseenNumberIsFenced() throws Exception {
    expect(400, "not_dispatched", session.resume("c7-0"));
    expect(400, "not_dispatched", session.resume("c7-0"));
    expect(409, "fenced", call(7));
    McpSocket next = call(8);
    backend.nextCall().answer("x");
    next.message();
    assertTrue(backend.isQuiet());
  }

  @Test
  @DisplayName("contract: a second POST with a number is refused and runs nothing")
  void duplicateNumberIsRefused() throws Exception {
    McpSocket post = call(3);
    OpenCall running = backend.nextCall();
    expect(409, "duplicate_call", call(3));
    running.answer("x");
    assertEquals(1, post.rest().size());
    expect(409, "duplicate_call", call(3));
    assertTrue(backend.isQuiet());
  }

  @Test
  @DisplayName("contract: a batch has no number: nothing of it runs, and the fence is true")
  void numberedBatchRunsNothing() throws Exception {
    McpSession old = McpSession.open(gateway.port(), "/mcp", "2025-03-26");
    String batch = "[" + McpSession.call("1") + "," + McpSession.call("2") + "]";
    expect(400, "malformed", old.post(batch, "Fairlead-Call: 1"));
    expect(400, "not_dispatched", old.resume("c1-0"));
    expect(409, "fenced", old.post(McpSession.call("1"), "Fairlead-Call: 1"));
    assertTrue(backend.isQuiet());
  }

  @Test
  @DisplayName("contract: of a notification with a number no fence says that it had no effect")
  void numberedNotificationIsNotFenced() throws Exception {
    String note = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/roots/list_changed\"}";
    session.post(note, "Fairlead-Call: 5").expect(202);
    expect(400, "evicted", session.resume("c5-0"));
    expect(409, "duplicate_call", session.post(note, "Fairlead-Call: 5"));
  }

  @Test
  @DisplayName("contract: while the body arrives the resume waits; if it never does, nothing ran")
  void resumeWaitsForTheBody() throws Exception {
    String body = McpSession.call("1");
    for (boolean completes : new boolean[] {true, false}) {
      long number = completes ? 10 : 11;
      try (Socket half = new Socket("127.0.0.1", gateway.port())) {
        String head =
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: "
                + McpSocket.BOTH
                + "\r\nMcp-Session-Id: "
                + session.id
                + "\r\nFairlead-Call: "
                + number
                + "\r\nContent-Length: "
                + body.length()
                + "\r\n\r\n";
        half.getOutputStream()
            .write((head + body.substring(0, 20)).getBytes(StandardCharsets.US_ASCII));
        TestGateway.until(
            "the head arrived",
            () ->
                gateway.read(
                    parts ->
                        parts.sessions().all().stream()
                            .anyMatch(
                                open -> open.numbers().standing(number) == Standing.RECEIVING)));
        McpSocket resumed = session.resume("c" + number + "-0");
        if (completes) {
          half.getOutputStream().write(body.substring(20).getBytes(StandardCharsets.US_ASCII));
          backend.nextCall().answer("late");
          assertTrue(resumed.message().data().contains("late"));
        } else {
          half.shutdownOutput();
          expect(400, "not_dispatched", resumed);
          expect(409, "fenced", call(number));
        }
      }
    }
    assertTrue(backend.isQuiet());
  }

  @Test
  @DisplayName("contract: what was refused was not dispatched, and its number says so")
  void refusedCallIsNotDispatched() throws Exception {
    expect(400, "malformed", session.post("{", "Fairlead-Call: 20"));
    expect(400, "not_dispatched", session.resume("c20-0"));
    expect(400, "malformed", session.post(McpSession.call("1"), "Fairlead-Call: 0"));
    expect(400, "malformed", session.post(McpSession.call("1"), "Fairlead-Call: -1"));
    String most = "9999999999999999";
    try (McpSocket above = session.post(McpSession.call("1"), "Fairlead-Call: " + most + 9)) {
      assertEquals(400, above.status());
      assertTrue(above.body().contains("one decimal from 1 to " + most));
    }
    expect(400, "not_dispatched", session.resume("c" + most + "-0"));
  }

  @Test
  @DisplayName("contract: below the window nothing is claimed")
  void oldNumbersAreForgotten() throws Exception {
    expect(400, "not_dispatched", session.resume("c200000-0"));
    expect(400, "forgotten", session.resume("c5-0"));
    expect(400, "forgotten", call(5));
    try (McpSocket late = call(6)) {
      assertTrue(late.body().contains("so this request was not run"));
    }
    assertTrue(backend.isQuiet());
  }

  @Test
  @DisplayName("contract: a numbered call that was answered as JSON can be asked for again")
  void jsonAnswerIsKept() throws Exception {
    McpSocket list = session.post(McpSession.request("4", "tools/list", "{}"), "Fairlead-Call: 30");
    assertEquals("application/json", list.header("content-type").orElseThrow());
    McpSocket resumed = session.resume("c30-0");
    assertTrue(resumed.message().data().contains("\"id\":4"));
  }
}
