package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.H2Client.Exchange;
import io.fairlead.gateway.McpSocket.Event;
import io.fairlead.gateway.ScriptedBackend.OpenCall;
import io.vertx.core.http.HttpMethod;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How far an event stream is written ahead of its client, and that it goes on with it. */
class UnsentEventsIT {
  private static final String METERED = "management { enabled = true, port = 0 }\n";
  private static final String ROOMY =
      METERED + "events { max-bytes-per-stream = 40MiB, max-bytes-per-session = 40MiB }\n";
  private static final int EVENTS = 20;

  /** More than what is written ahead of a client. */
  private static final String LARGE = "x".repeat(400_000);

  @TempDir private static Path directory;
  private final ScriptedBackend backend = new ScriptedBackend("demo");
  private TestGateway gateway;

  @AfterEach
  void stop() {
    gateway.close();
  }

  private double gauge(String name) {
    return Double.parseDouble(gateway.gauges().get("fairlead_" + name));
  }

  /**
   * Says all before the client reads the first. Unsent is at most the one of which a part is sent,
   * and the one after it.
   */
  private OpenCall say(String text) throws Exception {
    OpenCall call = backend.nextCall();
    int most = 2 * (text.length() + 1_000);
    for (int i = 0; i < EVENTS; i++) {
      call.note(text);
      double unsent = gauge("unsent_bytes");
      assertTrue(unsent <= most, () -> "unsent=" + unsent);
    }
    call.answer("the end");
    return call;
  }

  @Test
  @DisplayName("streams 18: large events wait in the log, not in the connection")
  void largeEventsWaitInTheLog() throws Exception {
    gateway = TestGateway.start(METERED, backend);
    McpSession session = McpSession.open(gateway.port());
    try (McpSocket deaf = session.post(McpSession.call("1"))) {
      assertEquals(200, deaf.status());
      OpenCall call = say("x".repeat(3_000_000));
      assertTrue(call.pauses > 0);
      assertTrue(gauge("unsent_bytes") > 0);
      List<Event> read = deaf.rest();
      assertTrue(read.get(read.size() - 1).data().contains("the end"));
    }
  }

  @Test
  @DisplayName("a client that goes on reading gets each of them, in order")
  void readerGetsAll() throws Exception {
    gateway = TestGateway.start(ROOMY, backend);
    McpSession session = McpSession.open(gateway.port());
    try (McpSocket late = session.post(McpSession.call("1"), "Fairlead-Call: 1")) {
      assertEquals(200, late.status());
      say(LARGE);
      List<Event> read = late.rest();
      assertEquals(EVENTS + 1, read.size());
      for (int i = 0; i < EVENTS; i++) {
        assertEquals("c1-" + (i + 1), read.get(i).id());
        assertTrue(read.get(i).data().contains(LARGE));
      }
      TestGateway.until("nothing waits", () -> gauge("unsent_bytes") == 0);
    }
  }

  @Test
  @DisplayName("so does one of an HTTP/2 stream, a window at a time")
  void readerOfAnHttp2StreamGetsAll() throws Exception {
    gateway =
        TestGateway.start(TestKeys.create(directory, "server", "EC").hocon() + ROOMY, backend);
    try (H2Client client = H2Client.connect(gateway.port())) {
      String session = client.session();
      Exchange late = client.send(false, HttpMethod.POST, McpSession.call("1"), session);
      assertEquals(200, late.status());
      say(LARGE);
      late.response().resume();
      String body = late.body();
      int at = 0;
      for (int i = 0; i < EVENTS; i++) {
        at = body.indexOf(LARGE, at) + LARGE.length();
        assertTrue(at >= (i + 1) * LARGE.length(), "event=" + i);
      }
      assertTrue(body.indexOf("the end", at) > at);
      TestGateway.until("nothing waits", () -> gauge("unsent_bytes") == 0);
    }
  }
}
