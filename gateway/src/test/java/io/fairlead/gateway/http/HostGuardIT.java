package io.fairlead.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.config.ListenConfig;
import io.fairlead.gateway.http.RawHttp.Answer;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Host, Origin and CORS on real sockets: lifecycle 80 (Host), 96 and 97. */
class HostGuardIT {
  private static final String LOOPBACK = "127.0.0.1";
  private static final String EVERYWHERE = "0.0.0.0";

  private static Vertx vertx;

  @BeforeAll
  static void start() {
    vertx = Vertx.vertx();
  }

  @AfterAll
  static void stop() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, 200",
    "LocalHost:8080, 200",
    "127.0.0.1, 200",
    "127.0.0.1:1, 200",
    "[::1], 200",
    "[::1]:65535, 200",
    "evil.example.com, 403",
    "localhost.evil.example.com, 403",
    "127.0.0.1.nip.io, 403",
    "evil.example.com:8080, 403",
    "127.0.0.2, 403",
    "a b/c@d, 400",
    "localhost@evil.example.com, 400",
    "localhost:80:80, 400",
    "localhost:port, 400",
    "::1, 400",
    "'localhost,evil', 400",
    "'', 400",
  })
  void loopbackListenerAnswersOnlyToLoopbackNames(String host, int status) throws Exception {
    assertEquals(status, ask(listen(LOOPBACK), "Host: " + host).status());
  }

  @Test
  void authorityOfHttp2IsCheckedLikeHost() throws Exception {
    assertEquals(200, askHttp2("localhost"));
    assertEquals(403, askHttp2("evil.example.com"));
  }

  @Test
  void missingHostIsMalformed() throws Exception {
    assertEquals(400, ask(listen(LOOPBACK)).status());
  }

  @Test
  void doubledHostIsMalformedEvenIfBothAreEqual() throws Exception {
    assertEquals(400, ask(listen(LOOPBACK), "Host: localhost", "Host: localhost").status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://localhost/mcp", "*", "localhost:80"})
  void targetThatIsNoPathIsMalformed(String target) throws Exception {
    assertEquals(
        400, exchange(listen(LOOPBACK), "GET " + target + " HTTP/1.1", "Host: localhost").status());
  }

  @Test
  void listenerElsewhereAnswersToAnyHostUnlessHostsAreListed() throws Exception {
    assertEquals(200, ask(listen(EVERYWHERE), "Host: gateway.example.com").status());
    assertEquals(400, ask(listen(EVERYWHERE), "Host: a/b").status());
  }

  @ParameterizedTest
  @CsvSource({
    "gateway.example.com, 200",
    "Gateway.Example.com:8443, 200",
    "ported.example.com:8443, 200",
    "ported.example.com:8444, 403",
    "ported.example.com, 403",
    "localhost, 403",
    "agateway.example.com, 403",
    "gateway.example.com.evil.org, 403",
  })
  void listedHostsAreTheOnlyOnes(String host, int status) throws Exception {
    ListenConfig listen =
        listen(LOOPBACK, List.of("gateway.example.com", "ported.example.com:8443"), List.of());
    assertEquals(status, ask(listen, "Host: " + host).status());
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost, 200",
    "http://localhost:6274, 200",
    "https://127.0.0.1:1, 200",
    "http://[::1]:3000, 200",
    "null, 403",
    "'', 403",
    "http://evil.example.com, 403",
    "http://localhost.evil.example.com, 403",
    "http://evillocalhost, 403",
    "ftp://localhost, 403",
    "http://localhost:6274/, 403",
    "http://localhost@evil.example.com, 403",
    "'http://localhost, http://evil.example.com', 403",
  })
  void loopbackListenerLetsLoopbackOriginsPass(String origin, int status) throws Exception {
    assertEquals(status, ask(listen(LOOPBACK), "Host: localhost", "Origin: " + origin).status());
  }

  @Test
  void loopbackOriginIsRefusedWhenTheListenerIsElsewhere() throws Exception {
    Answer answer = ask(listen(EVERYWHERE), "Host: gw", "Origin: http://localhost");
    assertEquals(403, answer.status());
    assertTrue(answer.header("Access-Control-Allow-Origin").isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "https://app.example.com, 200",
    "https://app.example.com:8443, 403",
    "http://app.example.com, 403",
    "https://app.example.com.evil.org, 403",
    "https://evil-app.example.com, 403",
    "http://localhost, 403",
    "null, 403",
  })
  void listedOriginsAreTheOnlyOnes(String origin, int status) throws Exception {
    ListenConfig listen = listen(LOOPBACK, List.of(), List.of("https://app.example.com"));
    assertEquals(status, ask(listen, "Host: localhost", "Origin: " + origin).status());
  }

  @Test
  void doubledOriginIsMalformed() throws Exception {
    String origin = "Origin: http://localhost";
    assertEquals(400, ask(listen(LOOPBACK), "Host: localhost", origin, origin).status());
  }

  @Test
  void realResponsesToAnAllowedOriginCarryItExactly() throws Exception {
    for (String path : List.of("/", "/refuse")) {
      Answer answer =
          exchange(
              listen(LOOPBACK),
              "POST " + path + " HTTP/1.1",
              "Host: localhost",
              "Origin: http://localhost:6274");
      assertEquals(path.equals("/") ? 200 : 401, answer.status());
      assertEquals(
          "http://localhost:6274", answer.header("Access-Control-Allow-Origin").orElseThrow());
      assertEquals("Origin", answer.header("Vary").orElseThrow());
      assertEquals(
          "Mcp-Session-Id, WWW-Authenticate, MCP-Protocol-Version, Fairlead-Instance",
          answer.header("Access-Control-Expose-Headers").orElseThrow());
    }
  }

  @Test
  void preflightOfAnAllowedOriginNamesMethodsAndHeaders() throws Exception {
    Answer answer = preflight("http://localhost:6274");
    assertEquals(204, answer.status());
    assertEquals(
        "http://localhost:6274", answer.header("Access-Control-Allow-Origin").orElseThrow());
    assertEquals(
        "GET, POST, DELETE, OPTIONS", answer.header("Access-Control-Allow-Methods").orElseThrow());
    List<String> headers =
        List.of(answer.header("Access-Control-Allow-Headers").orElseThrow().split(", "));
    assertTrue(
        headers.containsAll(
            List.of(
                "content-type",
                "accept",
                "authorization",
                "mcp-session-id",
                "mcp-protocol-version",
                "mcp-method",
                "mcp-name",
                "last-event-id",
                "fairlead-call")),
        headers.toString());
  }

  @Test
  void preflightOfAForeignOriginIsRefusedWithoutCorsHeaders() throws Exception {
    Answer answer = preflight("http://evil.example.com");
    assertEquals(403, answer.status());
    assertTrue(answer.header("Access-Control-Allow-Origin").isEmpty());
  }

  private static Answer preflight(String origin) throws Exception {
    return exchange(
        listen(LOOPBACK),
        "OPTIONS /mcp HTTP/1.1",
        "Host: localhost",
        "Origin: " + origin,
        "Access-Control-Request-Method: POST");
  }

  private static ListenConfig listen(String host) {
    return listen(host, List.of(), List.of());
  }

  private static ListenConfig listen(String host, List<String> hosts, List<String> origins) {
    return new ListenConfig(host, 0, "/mcp", hosts, origins, java.util.Optional.empty());
  }

  private static Answer ask(ListenConfig listen, String... headers) throws Exception {
    String[] lines = new String[headers.length + 1];
    lines[0] = "GET /mcp HTTP/1.1";
    System.arraycopy(headers, 0, lines, 1, headers.length);
    return exchange(listen, lines);
  }

  private static Answer exchange(ListenConfig listen, String... lines) throws Exception {
    HttpServer server = open(listen);
    try {
      return send(server.actualPort(), lines);
    } finally {
      server.close().await(10, TimeUnit.SECONDS);
    }
  }

  private static int askHttp2(String authority) throws Exception {
    HttpServer server = open(listen(LOOPBACK));
    HttpClient client =
        vertx.createHttpClient(new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2));
    RequestOptions options =
        new RequestOptions()
            .setServer(SocketAddress.inetSocketAddress(server.actualPort(), LOOPBACK))
            .setHost(authority);
    try {
      return client
          .request(options)
          .compose(HttpClientRequest::send)
          .map(HttpClientResponse::statusCode)
          .await(10, TimeUnit.SECONDS);
    } finally {
      client.close().await(10, TimeUnit.SECONDS);
      server.close().await(10, TimeUnit.SECONDS);
    }
  }

  private static HttpServer open(ListenConfig listen) throws Exception {
    HostGuard guard = new HostGuard(listen);
    Cors cors = new Cors(guard);
    return vertx
        .createHttpServer()
        .requestHandler(request -> serve(guard, cors, request))
        .listen(0, LOOPBACK)
        .await(10, TimeUnit.SECONDS);
  }

  private static void serve(HostGuard guard, Cors cors, HttpServerRequest request) {
    cors.decorate(request);
    int refused = guard.check(request).map(Refusal::status).orElse(0);
    if (refused != 0) {
      request.response().setStatusCode(refused).end();
    } else if (Cors.isPreflight(request)) {
      cors.answerPreflight(request);
    } else {
      request.response().setStatusCode(request.path().equals("/refuse") ? 401 : 200).end();
    }
  }

  private static Answer send(int port, String... lines) throws IOException {
    return RawHttp.exchange(port, String.join("\r\n", lines) + "\r\n\r\n");
  }
}
