package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.H2Client.Exchange;
import io.fairlead.gateway.ScriptedBackend.OpenCall;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** issue 4: what holds for HTTP/1.1 holds for HTTP/2, stream by stream. */
class Http2StreamsIT extends TlsBench {
  private static final HttpMethod POST = HttpMethod.POST;
  private static final HttpMethod GET = HttpMethod.GET;

  private static Exchange call(H2Client client, String session, String id) {
    return client.send(POST, McpSession.call(id), session);
  }

  @Test
  @DisplayName("streams 1 over h2: calls side by side on one connection get each their own answer")
  void callsShareAConnection() throws Exception {
    start("");
    try (H2Client client = H2Client.connect(gateway.port())) {
      String session = client.session();
      Exchange standalone = client.send(GET, "", session);
      assertEquals(200, standalone.status());
      List<Exchange> asked = new ArrayList<>();
      List<OpenCall> open = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        asked.add(call(client, session, "" + i));
        open.add(backend.nextCall());
      }
      for (int i = 19; i >= 0; i--) {
        open.get(i).note("note " + i);
        open.get(i).answer("answer " + i);
      }
      for (int i = 0; i < 20; i++) {
        String body = asked.get(i).body();
        assertTrue(body.contains("note " + i + "\"") && body.contains("answer " + i + "\""), body);
      }
      assertEquals(1, gateway.holdings().sinks());
      assertEquals("no-store, no-transform", standalone.response().getHeader("Cache-Control"));
    }
    TestGateway.until("the stream is left", () -> gateway.holdings().sinks() == 0);
  }

  @Test
  @DisplayName("streams 2 over h2: a reset stream is left, the call runs on and is resumed")
  void resetIsNoCancel() throws Exception {
    start("");
    try (H2Client client = H2Client.connect(gateway.port())) {
      String session = client.session();
      Exchange post = call(client, session, "1");
      OpenCall call = backend.nextCall();
      call.note("before");
      post.until("before");
      post.request.reset(8);
      TestGateway.until("it left", () -> gateway.holdings().sinks() == 0);
      call.note("meanwhile");
      call.answer("after");
      Exchange resumed = client.send(GET, "", session, "Last-Event-ID: " + post.cursor());
      String rest = resumed.body();
      assertTrue(rest.contains("meanwhile") && rest.contains("after"), rest);
      assertFalse(rest.contains("before"), rest);
      assertTrue(call.cancelled.isEmpty());
    }
  }

  @Test
  @DisplayName("streams 3 over TLS: a cut connection detaches all its streams; each is resumed")
  void cutConnectionIsResumed() throws Exception {
    start("");
    String session;
    List<Exchange> cut = new ArrayList<>();
    List<OpenCall> open = new ArrayList<>();
    try (H2Client client = H2Client.connect(gateway.port())) {
      session = client.session();
      for (int i = 0; i < 5; i++) {
        cut.add(call(client, session, "" + i));
        open.add(backend.nextCall());
        open.get(i).note("before " + i);
        cut.get(i).until("before " + i);
      }
    }
    TestGateway.until("all are left", () -> gateway.holdings().sinks() == 0);
    assertEquals(5, gateway.holdings().calls());
    open.forEach(call -> call.answer("after"));
    try (H2Client client = H2Client.connect(gateway.port())) {
      for (Exchange each : cut) {
        String rest = client.send(GET, "", session, "Last-Event-ID: " + each.cursor()).body();
        assertTrue(rest.contains("after"), rest);
        assertFalse(rest.contains("before"), rest);
      }
    }
  }

  @Test
  @DisplayName("streams 25 over h2: who does not read is bounded by the ring, others go on")
  void slowStreamIsBoundedAndAlone() throws Exception {
    start("events.max-bytes-per-stream = 1MiB");
    try (H2Client client = H2Client.connect(gateway.port())) {
      String session = client.session();
      Exchange slow = client.send(false, POST, McpSession.call("1"), session);
      OpenCall call = backend.nextCall();
      assertEquals(200, slow.status());
      String text = "x".repeat(10_000);
      for (int i = 0; i < 2_000; i++) {
        call.note(text);
      }
      TestGateway.until("its source is paused", () -> call.pauses > 0);
      long held = gateway.read(parts -> parts.services().store().bytes());
      assertTrue(held <= 1_100_000, "bytes=" + held);
      Exchange ping = client.send(POST, PING, session);
      assertTrue(ping.body().contains("\"id\":5"));
      call.answer("the end");
      slow.response().resume();
      assertTrue(slow.body().contains("the end"));
    }
  }

  @Test
  @DisplayName("lifecycle 25 over h2: who reads nothing is cut alone, and may come back")
  void stuckStreamIsCutAlone() throws Exception {
    start("limits { keep-alive = 500ms, slow-reader-timeout = 1s }");
    try (H2Client client = H2Client.connect(gateway.port())) {
      String session = client.session();
      Exchange good = call(client, session, "1");
      OpenCall first = backend.nextCall();
      Exchange stuck = client.send(false, POST, McpSession.call("2"), session);
      OpenCall second = backend.nextCall();
      for (int i = 0; i < 100; i++) {
        second.note("x".repeat(10_000));
      }
      TestGateway.until("it is cut", () -> gateway.holdings().sinks() == 1);
      first.answer("untouched");
      assertTrue(good.body().contains("untouched"));
      assertEquals(200, stuck.status());
      assertEquals(1, gateway.holdings().calls());
    }
  }

  @Test
  @DisplayName("lifecycle 77 over h2: a refused body ends its stream, not the connection")
  void refusedBodyEndsItsStreamAlone() throws Exception {
    start("limits { body = 1KiB, body-timeout = 1s }");
    try (H2Client client = H2Client.connect(gateway.port())) {
      String session = client.session();
      Exchange other = call(client, session, "1");
      OpenCall call = backend.nextCall();
      Exchange large = client.send(POST, "x".repeat(2_000), session);
      assertEquals(413, large.status());
      assertEquals(null, large.response().getHeader("Connection"));
      assertTrue(large.body().contains("too_large"));
      HttpClientRequest trickle = client.open(POST, session);
      Exchange slow = client.reading(trickle);
      trickle.setChunked(true).write(Buffer.buffer("{"));
      assertEquals(408, slow.status());
      call.answer("untouched");
      assertTrue(other.body().contains("untouched"));
      assertEquals(200, client.send(POST, PING, session).status());
    }
    TestGateway.until("nothing is held", () -> gateway.holdings().calls() == 0);
  }

  @Test
  @DisplayName("lifecycle 82 over h2: headers are bounded in number and size, streams in number")
  void headersAndStreamsAreBounded() throws Exception {
    start("limits.streams-per-connection = 7");
    try (H2Client client = H2Client.connect(gateway.port())) {
      String session = client.session();
      Http2Settings told = (Http2Settings) client.connection().remoteSettings();
      assertEquals(7, told.getMaxConcurrentStreams());
      assertEquals(16 * 1024, told.getMaxHeaderListSize());
      List<String> many = new ArrayList<>(List.of(session));
      for (int i = 0; i < 101; i++) {
        many.add("X-Many-" + i + ": x");
      }
      assertEquals(431, client.send(POST, PING, many.toArray(String[]::new)).status());
      assertEquals(200, client.send(POST, PING, session).status());
    }
  }

  @Test
  @DisplayName("lifecycle 12: a session whose opening answer could not be written is not kept")
  void sessionWhoseAnswerIsNotWrittenIsNotKept() throws Exception {
    start(MEASURED);
    try (H2Client client = H2Client.withoutWindow(gateway.port())) {
      Exchange opening = client.send(POST, INITIALIZE);
      String id = opening.response().getHeader("Mcp-Session-Id");
      assertEquals(1, gateway.holdings().sessions());
      opening.request.reset(8);
      TestGateway.until("it is not kept", () -> gateway.holdings().sessions() == 0);
      assertEquals(404, client.send(POST, PING, "Mcp-Session-Id: " + id).status());
    }
    String scrape = gateway.read(TestGateway::scrape);
    assertTrue(
        scrape.contains("fairlead_sessions_closed_total{reason=\"handshake_failed\"} 1.0"), scrape);
  }

  @Test
  @DisplayName("lifecycle 115 over h2: streams end properly when the gateway stops")
  void drainEndsStreams() throws Exception {
    start("");
    try (H2Client client = H2Client.connect(gateway.port())) {
      String session = client.session();
      Exchange standalone = client.send(GET, "", session);
      assertEquals(200, standalone.status());
      Exchange post = call(client, session, "1");
      backend.nextCall();
      gateway.drain();
      assertTrue(standalone.body().contains("retry: "));
      assertTrue(post.body().contains("\"reason\":\"draining\""));
    }
  }
}
