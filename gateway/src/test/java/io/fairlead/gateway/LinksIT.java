package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import io.fairlead.gateway.ScriptedBackend.OpenLink;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What happens on the links of sessions: backends that flood, leave, and come back. */
class LinksIT {
  private static final TestGateway.Holdings NOTHING = new TestGateway.Holdings(0, 0, 0, 0, 0, 0);
  private static final String PING = McpSession.request("5", "ping", "{}");
  private static final String SUBSCRIBE =
      McpSession.request("1", "resources/subscribe", "{\"uri\":\"test://r\"}");
  private static final String CHANGED =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}";

  private final ScriptedBackend backend = new ScriptedBackend("demo");
  private TestGateway gateway;
  private McpSession session;
  private LoggedErrors errors;

  @BeforeEach
  void start() throws Exception {
    errors = LoggedErrors.watch();
    gateway = TestGateway.start("", backend);
    session = McpSession.open(gateway.port());
  }

  @AfterEach
  void stop() {
    gateway.close();
    errors.close();
  }

  /** A call through the session's own link, which is the newest one. */
  private OpenLink ownLink() throws Exception {
    try (McpSocket post = session.post(McpSession.call("1"))) {
      backend.nextCall().answer("x");
      post.message();
    }
    return newest();
  }

  private void end() throws Exception {
    try (McpSocket deleted = session.delete()) {
      assertEquals(204, deleted.status());
    }
  }

  private OpenLink newest() {
    return backend.links.get(backend.links.size() - 1);
  }

  @Test
  @DisplayName("lifecycle 107: a storm of list_changed is told at most once a second")
  void stormOfChangesIsCoalesced() throws Exception {
    McpSocket standalone = session.get();
    assertEquals(200, standalone.status());
    OpenLink link = ownLink();
    for (int i = 0; i < 500; i++) {
      link.say(CHANGED);
    }
    link.say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/list_changed\"}");
    long begin = System.nanoTime();
    assertTrue(standalone.message().data().contains("tools/list_changed"));
    assertTrue(standalone.message().data().contains("resources/list_changed"));
    assertTrue(standalone.message().data().contains("tools/list_changed"));
    assertTrue(System.nanoTime() - begin > 300_000_000L, "the second comes after a pause");
    try (McpSocket list = session.post(McpSession.request("2", "tools/list", "{}"))) {
      assertTrue(list.body().contains("\"tools\""));
    }
    end();
    TestGateway.until("nothing is held", () -> gateway.holdings().equals(NOTHING));
  }

  @Test
  @DisplayName("what a client set at a backend is set again on the next link")
  void settingsSurviveTheirLink() throws Exception {
    session.post(McpSession.request("1", "logging/setLevel", "{\"level\":\"error\"}")).status();
    McpSocket subscribed = session.post(SUBSCRIBE);
    assertEquals("logging/setLevel", backend.nextCall().request.method());
    OpenCall first = backend.nextCall();
    assertEquals("resources/subscribe", first.request.method());
    first.answer("ok");
    subscribed.status();
    McpSocket standalone = session.get();
    assertEquals(200, standalone.status());
    OpenLink lost = newest();
    lost.die("it ended");
    assertEquals("logging/setLevel", backend.nextCall().request.method());
    OpenCall again = backend.nextCall();
    assertEquals("resources/subscribe", again.request.method());
    assertEquals("test://r", again.request.name().orElseThrow());
    again.answer("ok");
    newest()
        .say(
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\","
                + "\"params\":{\"uri\":\"test://r\"}}");
    assertTrue(standalone.message().data().contains("test://r"));
  }

  @Test
  @DisplayName("lifecycle 36: subscriptions of a session are bounded")
  void subscriptionsAreBounded() throws Exception {
    String large = "test://" + "x".repeat(300_000);
    try (McpSocket refused =
        session.post(
            McpSession.request("1", "resources/subscribe", "{\"uri\":\"" + large + "\"}"))) {
      assertTrue(refused.body().contains("\"overloaded\""));
    }
    assertTrue(backend.isQuiet());
  }

  @Test
  @DisplayName("lifecycle 105: a flood of server requests is bounded; the client's calls go on")
  void floodOfServerRequestsIsBounded() throws Exception {
    McpSocket standalone = session.get();
    assertEquals(200, standalone.status());
    OpenLink link = ownLink();
    for (int i = 0; i < 3_000; i++) {
      link.say("{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"method\":\"roots/list\"}");
    }
    assertTrue(gateway.holdings().events() <= 1_100);
    assertEquals(3_000 - 256, backend.answers.size(), "the oldest are refused to the backend");
    try (McpSocket ping = session.post(PING)) {
      assertEquals(200, ping.status());
    }
    end();
    assertEquals(3_000, backend.answers.size());
    assertEquals(NOTHING, gateway.holdings());
  }

  @Test
  @DisplayName("lifecycle 71, L52: what comes after the answer is dropped")
  void progressAfterTheAnswerIsDropped() throws Exception {
    McpSocket post = session.post(McpSession.call("1"));
    OpenCall call = backend.nextCall();
    call.answer("done");
    call.note("late");
    call.answer("again");
    call.lose("backend_lost");
    List<McpSocket.Event> events = post.rest();
    assertEquals(1, events.size());
    assertTrue(events.get(0).data().contains("done"));
  }

  @Test
  @DisplayName("a call whose link does not open says why, and that nothing ran, in two sentences")
  void callSaysWhyItsLinkDoesNotOpen() throws Exception {
    backend.refuses = true;
    try (McpSocket post = session.post(McpSession.call("1"))) {
      String answer = post.message().data();
      assertTrue(answer.contains("demo refuses. Nothing was run"), answer);
    }
  }

  @Test
  @DisplayName("streams 24: a link that is lost while calls run tells each of them once")
  void lostLinkTellsItsCalls() throws Exception {
    McpSocket one = session.post(McpSession.call("1"));
    OpenCall first = backend.nextCall();
    McpSocket two = session.post(McpSession.call("2"));
    OpenCall second = backend.nextCall();
    first.lose("backend_lost");
    second.lose("backend_lost");
    newest().die("it ended");
    for (McpSocket post : List.of(one, two)) {
      List<McpSocket.Event> events = post.rest();
      assertEquals(1, events.size());
      assertTrue(events.get(0).data().contains("\"state\":\"unknown\""));
    }
    ownLink();
    assertEquals(0, gateway.holdings().calls());
  }

  @Test
  @DisplayName("a session or call that ends while its link is being opened leaves nothing")
  void endWhileTheLinkIsBeingOpened() throws Exception {
    backend.holdsOpening = true;
    McpSocket cancelled = session.post(McpSession.call("1"));
    cancelled.next();
    TestGateway.until("a link is being opened", () -> backend.opening.size() == 1);
    session
        .post(
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}")
        .status();
    assertEquals(List.of(), cancelled.rest());
    McpSocket ended = session.post(McpSession.call("2"));
    ended.next();
    end();
    assertEquals(List.of(), ended.rest());
    backend.open();
    TestGateway.until("the link is closed", () -> backend.closed.size() == 1);
    assertTrue(backend.isQuiet(), "nothing was dispatched");
    assertEquals(NOTHING, gateway.holdings());
    assertEquals(0, (int) gateway.read(parts -> parts.services().tally().links("demo")));
  }

  @Test
  @DisplayName("a list that is being read when its session ends is given up")
  void readOfAListEndsWithItsSession() throws Exception {
    OpenLink link = ownLink();
    int timers = gateway.read(parts -> parts.services().loop().timers());
    backend.holdsLists = true;
    link.say(CHANGED);
    McpSocket list = session.post(McpSession.request("2", "tools/list", "{}"));
    OpenCall reading = backend.nextCall();
    McpSocket same = session.post(McpSession.request("3", "tools/list", "{}"));
    TestGateway.until("both wait", () -> gateway.holdings().calls() == 2);
    end();
    assertEquals(1, reading.cancelled.size());
    assertTrue(list.body().contains("cancelled"));
    assertTrue(same.body().contains("cancelled"));
    assertEquals(NOTHING, gateway.holdings());
    assertTrue(gateway.read(parts -> parts.services().loop().timers()) <= timers);
  }

  @Test
  @DisplayName("a list that changed is fresh for everybody who asks while it is being read")
  void waitingRequestsGetTheFreshList() throws Exception {
    OpenLink link = ownLink();
    backend.holdsLists = true;
    link.say(CHANGED);
    McpSocket one = session.post(McpSession.request("2", "tools/list", "{}"));
    OpenCall reading = backend.nextCall();
    McpSocket two = session.post(McpSession.request("3", "tools/list", "{}"));
    TestGateway.until("both wait", () -> gateway.holdings().calls() == 2);
    String fresh = "{\"tools\":[{\"name\":\"fresh\",\"inputSchema\":{\"type\":\"object\"}}]}";
    backend.onLoop(() -> reading.answerWith(fresh));
    assertTrue(one.body().contains("fresh"));
    assertTrue(two.body().contains("fresh"));
    try (McpSocket later = session.post(McpSession.request("4", "tools/list", "{}"))) {
      assertTrue(later.body().contains("fresh"));
    }
  }

  @Test
  @DisplayName("lifecycle 72, L49: requests beside and before notifications/initialized are served")
  void initializedRacesWithRequests() throws Exception {
    for (int i = 0; i < 20; i++) {
      String id;
      try (McpSocket init =
          McpSocket.send(
              gateway.port(),
              "POST",
              "/mcp",
              McpSession.initialize("2025-11-25"),
              "Accept: " + McpSocket.BOTH)) {
        id = "Mcp-Session-Id: " + init.header("Mcp-Session-Id").orElseThrow();
      }
      McpSocket list = send(McpSession.request("2", "tools/list", "{}"), id);
      McpSocket done = send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", id);
      assertEquals(200, list.status());
      assertEquals(202, done.status());
      list.close();
      done.close();
    }
  }

  private McpSocket send(String body, String session) throws Exception {
    return McpSocket.send(
        gateway.port(), "POST", "/mcp", body, "Accept: " + McpSocket.BOTH, session);
  }
}
