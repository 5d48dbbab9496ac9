package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Backends come, go and change while sessions and calls run. */
class ReconfigurationIT extends ReconfigurationBench {
  private static final String LONG_DRAIN = "shutdown.drain = 10s\n";

  private static String call(String id, String tool) {
    return McpSession.request(id, "tools/call", "{\"name\":\"" + tool + "\",\"arguments\":{}}");
  }

  @Test
  void addedBackendReachesOpenSessionsAndTheOtherKeepsItsLinks() throws Exception {
    start("", a);
    McpSession session = McpSession.open(gateway.port());
    McpSocket running = session.post(McpSession.call("1"));
    OpenCall call = a.nextCall();
    McpSocket standalone = session.get();
    standalone.next();
    int links = a.links.size();
    gateway.apply("", a, b);
    assertTrue(standalone.message().data().contains("notifications/tools/list_changed"));
    TestGateway.until("both are up", () -> upBackends() == 2);
    String tools = answer(session, LIST);
    assertTrue(tools.contains("\"a__t\"") && tools.contains("\"b__t\""), tools);
    McpSocket other = session.post(call("2", "b__t"));
    b.nextCall().answer("from b");
    assertTrue(other.message().data().contains("from b"));
    call.answer("from a");
    assertTrue(running.message().data().contains("from a"));
    assertEquals(links, a.links.size(), "an unchanged backend was connected again");
    assertEquals(List.of(), a.closed);
  }

  @Test
  void removedBackendFinishesItsCallsAndTakesNoMore() throws Exception {
    start(LONG_DRAIN, a, b);
    McpSession session = McpSession.open(gateway.port());
    McpSocket running = session.post(call("1", "b__t"));
    OpenCall call = b.nextCall();
    gateway.apply(LONG_DRAIN, a);
    String refused = answer(session, call("2", "b__t"));
    assertTrue(refused.contains("backend b is no longer configured"), refused);
    assertTrue(refused.contains("\"not_dispatched\""), refused);
    assertTrue(b.isQuiet());
    assertFalse(answer(session, LIST).contains("b__t"));
    call.note("still there");
    assertTrue(running.message().data().contains("still there"));
    assertEquals(List.of(), b.closed);
    call.answer("finished");
    assertTrue(running.message().data().contains("finished"));
    // the session's link, and the catalog's
    TestGateway.until("its links are closed", () -> b.closed.size() == 2);
    assertEquals(0, number(parts -> parts.services().tally().links("b")));
  }

  @Test
  void callThatOutlastsTheDrainOfItsBackendIsToldSo() throws Exception {
    start("", a, b);
    McpSession session = McpSession.open(gateway.port());
    McpSocket running = session.post(call("1", "b__t"));
    OpenCall call = b.nextCall();
    gateway.apply("", a);
    String told = running.message().data();
    assertTrue(told.contains("\"state\":\"unknown\""), told);
    assertTrue(told.contains("\"reason\":\"backend_removed\""), told);
    assertEquals(1, call.cancelled.size());
    TestGateway.until("its links are closed", () -> b.closed.size() == 2);
  }

  /** Its link is still being opened when the backend goes. */
  @Test
  void callThatWaitsForALeavingBackendIsToldThatNothingRan() throws Exception {
    start("", a, b);
    McpSession session = McpSession.open(gateway.port());
    b.holdsOpening = true;
    McpSocket waiting = session.post(call("1", "b__t"));
    TestGateway.until("its link is asked for", () -> !b.opening.isEmpty());
    gateway.apply("", a);
    String told = waiting.message().data();
    assertTrue(told.contains("\"state\":\"not_dispatched\""), told);
    int before = b.closed.size();
    b.open();
    TestGateway.until("what opened too late is closed", () -> b.closed.size() > before);
    assertTrue(b.isQuiet());
  }

  @Test
  void replacedBackendTakesNewCallsWhileTheOldOnesFinish() throws Exception {
    start(LONG_DRAIN, a);
    McpSession session = McpSession.open(gateway.port());
    McpSocket running = session.post(McpSession.call("1"));
    OpenCall old = a.nextCall();
    int links = a.links.size();
    gateway.apply(LONG_DRAIN + "backends.a.call-timeout = 1m", a);
    McpSocket next = session.post(McpSession.call("2"));
    a.nextCall().answer("new");
    assertTrue(next.message().data().contains("new"));
    assertEquals(links + 2, a.links.size(), "one for the session, one for the catalog");
    old.answer("old");
    assertTrue(running.message().data().contains("old"));
    TestGateway.until("the old links are closed", () -> a.closed.size() == links);
  }

  @Test
  void backendThatComesBackServesAgain() throws Exception {
    start("", a, b);
    McpSession session = McpSession.open(gateway.port());
    gateway.apply("", a);
    TestGateway.until("it is closed", () -> b.closed.size() == 1);
    gateway.apply("", a, b);
    McpSocket post = session.post(call("1", "b__t"));
    b.nextCall().answer("again");
    assertTrue(post.message().data().contains("again"));
  }

  /** A session of one backend alone, which is removed while the client is away. */
  @Test
  void resultOfARemovedBackendIsStillFetchedAtItsOwnEndpoint() throws Exception {
    start(LONG_DRAIN, a, b);
    McpSession session = McpSession.open(gateway.port(), "/mcp/b", "2025-11-25");
    McpSocket cut = session.post(McpSession.call("1"));
    String cursor = cut.next().orElseThrow().id();
    OpenCall call = b.nextCall();
    cut.reset();
    gateway.apply(LONG_DRAIN, a);
    call.answer("kept");
    try (McpSocket resumed = session.resume(cursor)) {
      assertEquals(200, resumed.status());
      assertTrue(resumed.message().data().contains("kept"));
    }
    String refused = answer(session, McpSession.call("2"));
    assertTrue(refused.contains("no longer configured"), refused);
    assertTrue(b.isQuiet(), "executed twice");
    try (McpSocket fresh =
        McpSocket.send(
            gateway.port(),
            "POST",
            "/mcp/b",
            McpSession.initialize("2025-11-25"),
            "Accept: " + McpSocket.BOTH)) {
      assertEquals(404, fresh.status());
    }
  }

  @Test
  void statelessCallsSurviveTheReplacementOfTheirBackend() throws Exception {
    String stateless = LONG_DRAIN + "sessions.mode = stateless\n";
    start(stateless, a);
    McpSocket running = gateway.send("POST", McpSession.call("1"), "Accept: " + McpSocket.BOTH);
    OpenCall old = a.nextCall();
    a.holdsOpening = true;
    gateway.apply(stateless + "backends.a.call-timeout = 1m", a);
    McpSocket next = gateway.send("POST", McpSession.call("2"), "Accept: " + McpSocket.BOTH);
    TestGateway.until("a new link is asked for", () -> !a.opening.isEmpty());
    a.open();
    a.nextCall().answer("new");
    assertTrue(next.body().contains("new"));
    old.answer("old");
    assertTrue(running.body().contains("old"));
    TestGateway.until("the old link is closed", () -> a.closed.size() == 1);
  }
}
