package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.session.Admission;
import io.fairlead.gateway.session.Session;
import io.fairlead.wire.Revision;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Every limit is reached, exact, told, and counted once; what is within it goes on. */
class LimitsIT extends GatewayBench {
  @Test
  @DisplayName("architecture 8: every refusal is counted, once, by its reason or its limit")
  void everyRefusalIsCountedOnce() throws Exception {
    start(MEASURED + "limits { body = 1KiB, calls-per-session = 1 }");
    McpSession session = McpSession.open(gateway.port(), "/mcp", "2025-03-26");
    gateway.send("POST", PING, "Accept: image/png").expect(406);
    send("POST", PING, "Origin: http://evil.example").expect(403);
    send("POST", PING, "Mcp-Session-Id: unknown").expect(404);
    McpSocket.send(gateway.port(), "GET", "/nowhere", "").expect(404);
    send("PUT", "").expect(405);
    session.post("x".repeat(1025)).expect(413);
    session.post("{").expect(400);
    session.post(McpSession.call("1"));
    OpenCall call = backend.nextCall();
    session.post(McpSession.call("2")).expect(503);
    try (McpSocket batch = session.post("[" + McpSession.call("3") + "]")) {
      assertTrue(batch.body().contains("\"limit\":\"limits.calls-per-session\""));
    }
    call.answer("x");
    assertEquals(
        Map.of(
            "not_acceptable", 1.0,
            "origin_forbidden", 1.0,
            "session_unknown", 1.0,
            "path_unknown", 1.0,
            "method_not_allowed", 1.0,
            "too_large", 1.0,
            "malformed", 1.0,
            "limits.calls-per-session", 2.0),
        gateway.refusals());
  }

  @Test
  @DisplayName("lifecycle 31, 33: the cap is exact under 1,000 concurrent handshakes")
  void capIsExactUnderConcurrency() throws Exception {
    start("sessions { max = 20, when-full = reject }");
    List<McpSocket> asking = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      asking.add(send("POST", INITIALIZE));
    }
    List<String> ids = new ArrayList<>();
    int refused = 0;
    for (McpSocket answer : asking) {
      try (answer) {
        if (answer.status() == 200) {
          ids.add(answer.header("Mcp-Session-Id").orElseThrow());
        } else {
          assertEquals(503, answer.status());
          refused++;
        }
      }
    }
    assertEquals(20, ids.size());
    assertEquals(980, refused);
    assertEquals(20, gateway.holdings().sessions());
    send("DELETE", "", "Mcp-Session-Id: " + ids.get(0)).expect(204);
    send("POST", INITIALIZE).expect(200);
  }

  @Test
  @DisplayName("lifecycle 36: calls in all are bounded, and what ends makes room")
  void callsInAllAreBounded() throws Exception {
    start("limits.calls = 2");
    McpSession one = McpSession.open(gateway.port());
    McpSession two = McpSession.open(gateway.port());
    McpSocket first = one.post(McpSession.call("1"));
    OpenCall running = backend.nextCall();
    two.post(McpSession.call("1"));
    backend.nextCall();
    for (McpSession session : List.of(one, two)) {
      try (McpSocket refused = session.post(PING)) {
        assertEquals(503, refused.status());
        assertTrue(refused.header("Retry-After").isPresent());
        assertTrue(refused.body().contains("limits.calls"));
      }
    }
    running.answer("x");
    first.rest();
    one.post(PING).expect(200);
  }

  @Test
  @DisplayName("lifecycle 36: above the streams of a session the oldest that has ended goes")
  void streamsOfASessionAreBounded() throws Exception {
    start("limits { streams-per-session = 4, calls-per-session = 3 }");
    McpSession session = McpSession.open(gateway.port());
    McpSocket standalone = session.get();
    assertEquals(200, standalone.status());
    McpSocket running = session.post(McpSession.call("1"));
    OpenCall open = backend.nextCall();
    List<String> ends = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      try (McpSocket post = session.post(McpSession.call("2"))) {
        backend.nextCall().answer("x");
        List<McpSocket.Event> events = post.rest();
        ends.add(events.get(events.size() - 1).id());
      }
      assertTrue(gateway.holdings().streams() <= 4);
    }
    try (McpSocket gone = session.resume(ends.get(0))) {
      assertEquals(400, gone.status());
    }
    session.resume(ends.get(9)).expect(200);
    open.answer("the running one is untouched");
    assertTrue(running.message().data().contains("untouched"));
    assertEquals(1, gateway.holdings().sinks());
  }

  @Test
  @DisplayName("lifecycle 36: connections are bounded; what is above is closed at once")
  void connectionsAreBounded() throws Exception {
    start("limits.connections = 3");
    List<Socket> open = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      open.add(new Socket("127.0.0.1", gateway.port()));
    }
    try (McpSocket above = McpSocket.raw(gateway.port(), "")) {
      assertTrue(above.isClosed());
    }
    open.get(0).close();
    TestGateway.until("there is room", this::isServed);
    for (Socket each : open) {
      each.close();
    }
  }

  @Test
  @DisplayName(
      "lifecycle 36: connections of one address are bounded, exactly; above they are closed")
  void connectionsOfOneAddressAreBounded() throws Exception {
    start(MEASURED + "limits.connections-per-address = 5");
    List<McpSocket> all = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      all.add(McpSocket.send(gateway.port(), "GET", "/healthz", ""));
    }
    List<McpSocket> served = new ArrayList<>();
    for (McpSocket each : all) {
      try {
        assertEquals(200, each.status());
        served.add(each);
      } catch (java.io.IOException closed) {
        each.close();
      }
    }
    assertEquals(5, served.size());
    assertEquals(Map.of("connections_per_address", 45.0), gateway.refusals());
    served.get(0).close();
    TestGateway.until("there is room", this::isServed);
  }

  @Test
  @DisplayName("lifecycle 37: with a full heap no session is opened, and live ones go on")
  void fullHeapRefusesNewSessions() throws Exception {
    start(MEASURED + "limits.heap = 0.9");
    McpSession session = McpSession.open(gateway.port());
    System.gc();
    gateway.apply(MEASURED + "limits.heap = 0.000001", backend);
    try (McpSocket refused = send("POST", INITIALIZE)) {
      assertEquals(503, refused.status());
      assertTrue(refused.header("Retry-After").isPresent());
      assertTrue(refused.body().contains("\"limit\":\"limits.heap\""));
    }
    session.post(PING).expect(200);
    assertEquals(Map.of("limits.heap", 1.0), gateway.refusals());
    gateway.apply(MEASURED + "limits.heap = 0.9", backend);
    McpSession.open(gateway.port());
  }

  private boolean isServed() {
    try (McpSocket answer = McpSocket.send(gateway.port(), "GET", "/healthz", "")) {
      return answer.status() == 200;
    } catch (java.io.IOException closed) {
      return false;
    }
  }

  @Test
  @DisplayName("lifecycle 32: with 20,000 sessions the one that gives way costs next to nothing")
  void manySessionsAreNotScanned() throws Exception {
    start("sessions { max = 20000, max-per-principal = 10000 }");
    long millis =
        gateway.read(
            parts -> {
              for (int i = 0; i < 20_000; i++) {
                opened(parts.sessions().open(startOf("p" + i % 2)));
              }
              long begin = System.nanoTime();
              for (int i = 0; i < 2_000; i++) {
                opened(parts.sessions().open(startOf("p1")));
              }
              return (System.nanoTime() - begin) / 1_000_000;
            });
    assertEquals(20_000, gateway.holdings().sessions());
    assertTrue(millis < 2_000, "2,000 evictions took ms=" + millis);
    long closing =
        gateway.read(
            parts -> {
              long begin = System.nanoTime();
              parts.sessions().closeAll("test");
              return (System.nanoTime() - begin) / 1_000_000;
            });
    assertTrue(closing < 4_000, "closing took ms=" + closing);
    assertEquals(NOTHING, gateway.holdings());
  }

  private static Session.Start startOf(String subject) {
    return new Session.Start(
        new Principal("test", subject, ""),
        "",
        Revision.LATEST,
        "{}".getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  private static void opened(Admission admission) {
    admission.fold(
        session -> session,
        limit -> {
          throw new AssertionError(limit);
        });
  }
}
