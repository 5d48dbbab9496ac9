package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.H2Client.Exchange;
import io.fairlead.gateway.ScriptedBackend.OpenCall;
import io.fairlead.gateway.observe.PrometheusMetrics;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** issue 4, TLS: what holds for HTTP/1.1 holds for HTTP/2, stream by stream. */
class ListenTlsIT {
  private static final HttpMethod POST = HttpMethod.POST;
  private static final HttpMethod GET = HttpMethod.GET;
  private static final String PING = McpSession.request("7", "ping", "{}");

  @TempDir private static Path directory;
  private static TestKeys keys;

  private final ScriptedBackend backend = new ScriptedBackend("demo");
  private TestGateway gateway;

  @BeforeAll
  static void keys() throws Exception {
    keys = TestKeys.create(directory, "server", "EC");
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  private void start(String hocon) throws Exception {
    gateway = TestGateway.start(keys.hocon() + hocon, backend);
  }

  private static Exchange call(H2Client client, String session, String id) {
    return client.send(POST, McpSession.call(id), session);
  }

  @Test
  @DisplayName("TLS 1.2 and 1.3, HTTP/2 and HTTP/1.1, and nothing that is older")
  void protocolsAreNegotiated() throws Exception {
    start("");
    assertEquals("TLSv1.3 h2", negotiate("TLSv1.3", "h2", "http/1.1"));
    assertEquals("TLSv1.2 h2", negotiate("TLSv1.2", "h2"));
    assertEquals("TLSv1.3 http/1.1", negotiate("TLSv1.3", "http/1.1"));
    assertEquals("TLSv1.3 ", negotiate("TLSv1.3"));
    try (McpSocket plain = McpSocket.raw(gateway.port(), "GET / HTTP/1.1\r\nHost: h\r\n\r\n")) {
      assertTrue(plain.isClosed() || plain.isClosed());
    }
  }

  @Test
  @Tag("soak")
  @DisplayName("lifecycle 79 over h2: who negotiates HTTP/2 and never begins it is closed")
  void connectionThatNeverBeginsIsClosed() throws Exception {
    start("");
    try (SSLSocket socket = handshake("TLSv1.3", "h2")) {
      socket.setSoTimeout(30_000);
      socket.getInputStream().readAllBytes();
    }
  }

  private String negotiate(String version, String... applications) throws Exception {
    try (SSLSocket socket = handshake(version, applications)) {
      return socket.getSession().getProtocol() + " " + socket.getApplicationProtocol();
    }
  }

  private SSLSocket handshake(String version, String... applications) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustsAll()}, new SecureRandom());
    SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", gateway.port());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setProtocols(new String[] {version});
    parameters.setApplicationProtocols(applications);
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
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
      assertTrue(ping.body().contains("\"id\":7"));
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
    start("management { enabled = true, port = 0 }");
    try (H2Client client = H2Client.withoutWindow(gateway.port())) {
      Exchange opening = client.send(POST, McpSession.initialize("2025-11-25"));
      String id = opening.response().getHeader("Mcp-Session-Id");
      assertEquals(1, gateway.holdings().sessions());
      opening.request.reset(8);
      TestGateway.until("it is not kept", () -> gateway.holdings().sessions() == 0);
      assertEquals(404, client.send(POST, PING, "Mcp-Session-Id: " + id).status());
    }
    String scrape =
        gateway.read(parts -> ((PrometheusMetrics) parts.services().metrics()).scrape());
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

  @Test
  @DisplayName("lifecycle 82 over h2: headers above what was told are refused")
  void largeHeadersAreRefused() throws Exception {
    start("");
    String large = "X-Large: " + "x".repeat(9_000);
    String said = run(curl("-H", large, "-H", large.replace("Large", "Larger")));
    assertTrue(said.endsWith("status=431 version=2"), said);
    String larger = "X-Large: " + "x".repeat(50_000);
    assertTrue(run(curl("-H", larger)).endsWith("status=000 version=0"), "connection is ended");
  }

  @Test
  @DisplayName("curl and Node.js speak HTTP/2 to it")
  void otherClientsSpeakHttp2() throws Exception {
    start("");
    String curl = run(curl());
    assertTrue(curl.contains("\"status\":\"ok\"") && curl.endsWith("version=2"), curl);
    String node = run(List.of("node", "-e", NODE, url()));
    assertTrue(node.contains("\"status\":\"ok\"") && node.endsWith("version=2"), node);
  }

  private String url() {
    return "https://localhost:" + gateway.port() + "/healthz";
  }

  private List<String> curl(String... more) {
    List<String> command = new ArrayList<>(List.of("curl", "-s", "--http2", "--cacert"));
    command.add(keys.certificate().toString());
    command.addAll(List.of("-w", " status=%{http_code} version=%{http_version}", url()));
    command.addAll(List.of(more));
    return command;
  }

  /** What the program says; the test ends here where it is absent. */
  private static String run(List<String> command) throws Exception {
    Assumptions.assumeTrue(isPresent(command.get(0)), command.get(0) + " is not there");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static final String NODE =
      """
      const client = require('http2').connect(process.argv[1], { rejectUnauthorized: false });
      const stream = client.request({ ':path': '/healthz' });
      let text = '';
      stream.on('data', bytes => text += bytes);
      stream.on('end', () => { console.log(text); process.stdout.write('version=2'); client.close(); });
      stream.end();
      """;

  private static boolean isPresent(String program) throws Exception {
    try {
      return new ProcessBuilder(program, "--version")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (java.io.IOException absent) {
      return false;
    }
  }

  /** For a certificate that is its own authority. */
  private static final class TrustsAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
