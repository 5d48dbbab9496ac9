package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import io.fairlead.gateway.config.ConfigLoader;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.handler.BodyHandler;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A gateway on a router of the application around it. */
class MountIT {
  private final ScriptedBackend backend = new ScriptedBackend("demo");
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() throws Exception {
    vertx.close().await(30, TimeUnit.SECONDS);
  }

  private <T> T await(Future<T> future) throws Exception {
    return future.await(20, TimeUnit.SECONDS);
  }

  private MountedApplication start(MountedApplication application) throws Exception {
    await(vertx.deployVerticle(application));
    return application;
  }

  @Test
  @DisplayName(
      "the application's routes and its 404 stay its own; the endpoint, its path and health")
  void routesStandBesideThoseOfTheApplication() throws Exception {
    int port = start(new MountedApplication("", backend)).port();
    try (McpSocket hello = McpSocket.send(port, "GET", "/hello", "")) {
      assertEquals("hello", hello.body());
      assertEquals(Optional.empty(), hello.header("Fairlead-Instance"));
    }
    try (McpSocket unknown = McpSocket.send(port, "GET", "/nothing", "")) {
      assertEquals(404, unknown.status());
      assertFalse(unknown.body().contains("jsonrpc"));
    }
    McpSocket.send(port, "GET", "/healthz", "").expect(200);
    McpSocket.send(port, "GET", "/readyz", "").expect(200);
    McpSession session = McpSession.open(port, "/mcp/demo", "2025-11-25");
    try (McpSocket list = session.post(McpSession.request("1", "tools/list", "{}"))) {
      assertTrue(list.body().contains("\"t\""));
    }
    session.delete().expect(204);
  }

  @Test
  @DisplayName("cut in the middle, resumed: the answer is there, executed once, nothing is left")
  void cutCallIsResumed() throws Exception {
    MountedApplication application = start(new MountedApplication("", backend));
    McpSession session = McpSession.open(application.port());
    McpSocket post = session.post(McpSession.call("1"));
    String start = post.next().orElseThrow().id();
    OpenCall call = backend.nextCall();
    call.note("one");
    assertTrue(post.message().data().contains("one"));
    assertEquals(1, (int) application.read(parts -> connections(application)));
    post.reset();
    TestGateway.until("it left", () -> sinks(application) == 0);
    assertEquals(0, (int) application.read(parts -> connections(application)));
    call.note("two");
    call.answer("the end");
    try (McpSocket resumed = session.resume(start)) {
      List<McpSocket.Event> events = resumed.rest();
      assertEquals(3, events.size(), events::toString);
      assertTrue(events.get(2).data().contains("the end"));
    }
    assertTrue(backend.isQuiet());
    session.delete().expect(204);
    assertEquals(0, (int) application.read(parts -> parts.sessions().size()));
  }

  private static int connections(MountedApplication application) {
    return application.gateway.entrance().connections();
  }

  private static int sinks(MountedApplication application) {
    return application.read(parts -> parts.services().tally().sinks());
  }

  @Test
  @DisplayName("a client that reads nothing is cut on the application's connection too")
  void clientThatReadsNothingIsCut() throws Exception {
    MountedApplication application =
        start(
            new MountedApplication(
                "limits { slow-reader-timeout = 500ms, keep-alive = 200ms }", backend));
    McpSession session = McpSession.open(application.port());
    McpSocket post = session.post(McpSession.call("1"));
    post.next();
    OpenCall call = backend.nextCall();
    String text = "x".repeat(60_000);
    for (int i = 0; i < 300 && sinks(application) == 1; i++) {
      call.note(text);
    }
    TestGateway.until("it was cut", () -> sinks(application) == 0);
    assertEquals(1, (int) application.read(parts -> parts.sessions().size()));
  }

  @Test
  @DisplayName("a request on another event loop is refused before anything of it is touched")
  void requestOnAForeignLoopIsRefused() throws Exception {
    MountedApplication application =
        start(new MountedApplication("management { enabled = true, port = 0 }", backend));
    String own = application.read(parts -> Thread.currentThread().getName());
    Foreign foreign = new Foreign(application, own);
    for (int i = 0; foreign.port() == 0; i++) {
      assertTrue(i < 20, "another event loop");
      await(vertx.deployVerticle(foreign));
      foreign = foreign.port() == 0 ? new Foreign(application, own) : foreign;
    }
    try (McpSocket refused =
        McpSocket.send(
            foreign.port(),
            "POST",
            "/mcp",
            McpSession.initialize("2025-11-25"),
            "Accept: " + McpSocket.BOTH)) {
      assertEquals(500, refused.status());
      assertTrue(refused.body().contains("wrong_loop"));
      assertEquals(
          Optional.of(application.gateway.instance()), refused.header("Fairlead-Instance"));
    }
    McpSocket.send(foreign.port(), "GET", "/hello", "").expect(200);
    McpSession.open(application.port()).delete().expect(204);
    assertTrue(
        application
            .read(TestGateway::scrape)
            .contains("fairlead_refused_total{reason=\"wrong_loop\"} 1.0"));
  }

  /** Serves another verticle's router, unless it got the same event loop. */
  private static final class Foreign extends VerticleBase {
    private final MountedApplication application;
    private final String own;
    private Optional<HttpServer> server = Optional.empty();

    Foreign(MountedApplication application, String own) {
      this.application = application;
      this.own = own;
    }

    int port() {
      return server.map(HttpServer::actualPort).orElse(0);
    }

    @Override
    public Future<?> start() {
      if (Thread.currentThread().getName().equals(own)) {
        return Future.succeededFuture();
      }
      return vertx
          .createHttpServer()
          .requestHandler(application.router)
          .listen(0, "127.0.0.1")
          .onSuccess(listening -> server = Optional.of(listening));
    }
  }

  @Test
  @DisplayName("a body that a handler before the gateway has read is missed, not taken for empty")
  void bodyThatIsGoneIsRefused() throws Exception {
    MountedApplication application =
        start(
            new MountedApplication("", backend)
                .before(router -> router.route().handler(BodyHandler.create(false))));
    try (McpSocket refused =
        McpSocket.send(
            application.port(),
            "POST",
            "/mcp",
            McpSession.initialize("2025-11-25"),
            "Accept: " + McpSocket.BOTH)) {
      assertEquals(500, refused.status());
      assertTrue(refused.body().contains("body_gone"));
    }
  }

  @Test
  @DisplayName("a handler before the gateway that waits and pauses the request costs nothing")
  void handlerThatWaitsAndPausesIsFine() throws Exception {
    MountedApplication application =
        start(
            new MountedApplication("", backend)
                .before(
                    router ->
                        router
                            .route()
                            .handler(
                                context -> {
                                  context.request().pause();
                                  context.vertx().setTimer(50, fired -> context.next());
                                })));
    McpSession.open(application.port()).delete().expect(204);
  }

  @Test
  @DisplayName("without authentication only a loopback address is served, whatever Host says")
  void addressOfOthersNeedsAuthentication() throws Exception {
    Optional<InetAddress> address = addressOfOthers();
    Assumptions.assumeTrue(address.isPresent(), "this machine has a loopback address alone");
    String open =
        "listen.allowed-hosts = [127.0.0.1, \"" + address.get().getHostAddress() + "\"]\n";
    MountedApplication closed = start(new MountedApplication(open, backend).host("0.0.0.0"));
    HttpResponse<String> refused = post(address.get(), closed.port());
    assertEquals(403, refused.statusCode());
    assertTrue(refused.body().contains("not_loopback"));
    McpSession.open(closed.port());

    ScriptedBackend second = new ScriptedBackend("demo");
    MountedApplication allowed =
        start(new MountedApplication(open + "auth.allow-anonymous = true", second).host("0.0.0.0"));
    assertEquals(200, post(address.get(), allowed.port()).statusCode());
  }

  private static Optional<InetAddress> addressOfOthers() throws Exception {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(found -> found instanceof Inet4Address && !found.isLoopbackAddress())
        .findFirst();
  }

  private static HttpResponse<String> post(InetAddress address, int port) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            request("http://" + address.getHostAddress() + ":" + port + "/mcp")
                .POST(BodyPublishers.ofString(McpSession.initialize("2025-11-25")))
                .build(),
            BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(String url) {
    return HttpRequest.newBuilder(URI.create(url))
        .timeout(Duration.ofSeconds(10))
        .header("Content-Type", "application/json")
        .header("Accept", McpSocket.BOTH);
  }

  @Test
  @DisplayName("over HTTP/2, which an application's server may speak: call, cut one stream, resume")
  void http2IsServed() throws Exception {
    MountedApplication application = start(new MountedApplication("", backend));
    String url = "http://127.0.0.1:" + application.port() + "/mcp";
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
    HttpResponse<String> opened =
        client.send(
            request(url).POST(BodyPublishers.ofString(McpSession.initialize("2025-11-25"))).build(),
            BodyHandlers.ofString());
    assertEquals(HttpClient.Version.HTTP_2, opened.version());
    String session = opened.headers().firstValue("Mcp-Session-Id").orElseThrow();
    HttpRequest.Builder own = request(url).header("Mcp-Session-Id", session);
    HttpResponse<InputStream> call =
        client.send(
            own.copy().POST(BodyPublishers.ofString(McpSession.call("1"))).build(),
            BodyHandlers.ofInputStream());
    assertEquals(HttpClient.Version.HTTP_2, call.version());
    String cursor = cursor(call.body());
    OpenCall running = backend.nextCall();
    call.body().close();
    TestGateway.until("it left", () -> sinks(application) == 0);
    running.answer("the end");
    HttpResponse<String> resumed =
        client.send(
            own.copy().GET().header("Last-Event-ID", cursor).build(), BodyHandlers.ofString());
    assertEquals(HttpClient.Version.HTTP_2, resumed.version());
    assertTrue(resumed.body().contains("the end"), resumed::body);
    HttpResponse<String> refused =
        client.send(
            own.copy().POST(BodyPublishers.ofString("x".repeat(5_000_000))).build(),
            BodyHandlers.ofString());
    assertEquals(413, refused.statusCode());
    HttpResponse<String> deleted =
        client.send(own.copy().DELETE().build(), BodyHandlers.ofString());
    assertEquals(204, deleted.statusCode());
  }

  /** The id of the event that a stream begins with. */
  private static String cursor(InputStream stream) throws Exception {
    StringBuilder text = new StringBuilder();
    while (!text.toString().matches("(?s).*id: ?\\S+\n.*")) {
      text.append((char) stream.read());
    }
    return text.toString().replaceFirst("(?s).*id: ?(\\S+)\n.*", "$1");
  }

  @Test
  @DisplayName("requests in progress are bounded by limits.connections")
  void requestsInProgressAreBounded() throws Exception {
    MountedApplication application =
        start(new MountedApplication("limits.connections = 1", backend));
    McpSession session = McpSession.open(application.port());
    McpSocket post = session.post(McpSession.call("1"));
    post.next();
    session.post(McpSession.call("2")).expect(503);
    backend.nextCall().answer("x");
    post.rest();
    session.delete().expect(204);
  }

  @Test
  @DisplayName("two on one router and one with a port of its own are apart in everything")
  void severalInOneVertxAreApart() throws Exception {
    ScriptedBackend other = new ScriptedBackend("other");
    ScriptedBackend third = new ScriptedBackend("demo");
    MountedApplication first = start(new MountedApplication("listen.path = /a", backend));
    MountedApplication second = start(new MountedApplication("listen.path = /b", other));
    GatewayVerticle own =
        new GatewayVerticle(
            ConfigLoader.parse("listen.port = 0\nbackends.demo.type = local").orElseThrow(),
            List.of(third));
    String ownId = await(vertx.deployVerticle(own));
    McpSession onFirst = McpSession.open(first.port(), "/a", "2025-11-25");
    McpSession.open(second.port(), "/b", "2025-11-25");
    McpSession onOwn = McpSession.open(own.actualPort());
    McpSocket.send(
            second.port(),
            "POST",
            "/b",
            McpSession.call("1"),
            "Accept: " + McpSocket.BOTH,
            "Mcp-Session-Id: " + onFirst.id)
        .expect(404);
    McpSocket call = onFirst.post(McpSession.call("1"));
    OpenCall running = backend.nextCall();
    onOwn.delete().expect(204);
    await(vertx.undeploy(ownId));
    running.answer("x");
    assertEquals(1, call.rest().size());
    assertNotEquals(first.gateway.instance(), second.gateway.instance());
  }

  @Test
  @DisplayName(
      "undeployed under load: streams end, half a body is cut, no timer, route or port left")
  void undeployLeavesNothing() throws Exception {
    MountedApplication application = new MountedApplication("", backend);
    String id = await(vertx.deployVerticle(application));
    int port = application.port();
    McpSession session = McpSession.open(port);
    McpSocket standalone = session.get();
    standalone.next();
    McpSocket post = session.post(McpSession.call("1"));
    post.next();
    backend.nextCall();
    McpSocket half =
        McpSocket.raw(
            port,
            "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                + "Accept: application/json, text/event-stream\r\nContent-Length: 100\r\n\r\n{");
    TestGateway.until(
        "three are in progress", () -> application.read(parts -> connections(application)) == 3);
    await(application.gatewayDown());
    assertTrue(post.rest().toString().contains("draining"));
    assertEquals(List.of(), standalone.rest());
    assertTrue(half.isClosed());
    assertEquals(0, (int) application.read(parts -> parts.services().loop().timers()));
    assertEquals(
        List.of(0, 0, 0, 0L),
        application.read(
            parts ->
                List.of(
                    parts.sessions().size(),
                    parts.services().tally().calls(),
                    parts.services().tally().sinks(),
                    parts.services().store().events())));
    McpSocket.send(port, "GET", "/mcp", "").expect(404);
    McpSocket.send(port, "GET", "/hello", "").expect(200);
    await(vertx.undeploy(id));
    assertThrows(ConnectException.class, () -> McpSocket.raw(port, ""));
  }

  @Test
  @DisplayName("a second gateway on one address would get half of the connections: refused")
  void secondGatewayOnOneAddressIsRefused() throws Exception {
    int port = freePort();
    String deployed = await(vertx.deployVerticle(own(port, "")));
    String text = failure(vertx.deployVerticle(own(port, "")));
    assertTrue(text.contains("is taken by another gateway in this Vertx"), text);
    await(vertx.undeploy(deployed));
    await(vertx.deployVerticle(own(port, "sessions.mode = stateless")));
    await(vertx.deployVerticle(own(port, "sessions.mode = stateless")));
  }

  @Test
  @DisplayName(
      "instances of a verticle on one port: the second one's part is refused, never mixed up")
  void secondInstanceOnOneAddressIsRefused() throws Exception {
    int port = freePort();
    MountedApplication first = new MountedApplication("", backend).port(port);
    String id = await(vertx.deployVerticle(first));
    MountedApplication second =
        start(new MountedApplication("", new ScriptedBackend("demo")).port(port));
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      try (McpSocket opened = initialize(second.port())) {
        statuses.add(opened.status());
        assertTrue(opened.status() == 200 || opened.body().contains("shared_address"));
      }
    }
    assertTrue(statuses.containsAll(List.of(200, 500)), statuses::toString);
    await(vertx.undeploy(id));
    try (McpSocket opened = initialize(second.port())) {
      assertEquals(200, opened.status());
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static McpSocket initialize(int port) throws Exception {
    return McpSocket.send(
        port, "POST", "/mcp", McpSession.initialize("2025-11-25"), "Accept: " + McpSocket.BOTH);
  }

  private static GatewayVerticle own(int port, String hocon) {
    return new GatewayVerticle(
        ConfigLoader.parse("listen.port = " + port + "\n" + hocon).orElseThrow());
  }

  private String failure(Future<?> deployment) {
    return assertThrows(Exception.class, () -> await(deployment)).getMessage();
  }

  @Test
  @DisplayName("deployed where it cannot live, or used out of turn: refused with what to do")
  void wrongUseIsRefused() throws Exception {
    DeploymentOptions worker = new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER);
    String text = failure(vertx.deployVerticle(own(0, ""), worker));
    assertTrue(text.contains("ThreadingModel.EVENT_LOOP"), text);
    GatewayVerticle gateway = own(0, "");
    assertThrows(
        IllegalStateException.class, () -> gateway.mount(io.vertx.ext.web.Router.router(vertx)));
    await(vertx.undeploy(await(vertx.deployVerticle(gateway))));
    String again = failure(vertx.deployVerticle(gateway));
    assertTrue(again.contains("deployed before"), again);
    MountedApplication application = start(new MountedApplication("", backend));
    IllegalStateException wrongThread =
        assertThrows(
            IllegalStateException.class, () -> application.gateway.mount(application.router));
    assertTrue(wrongThread.getMessage().contains("event loop"), wrongThread::getMessage);
  }
}
