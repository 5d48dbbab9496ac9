package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import io.fairlead.gateway.config.ConfigLoader;
import io.fairlead.gateway.config.GatewayConfig;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Gateways as an application deploys them: several, once more, wrongly, and taken away. */
class DeploymentsIT extends MountBench {
  @Test
  @DisplayName("a request on another event loop is refused before anything of it is touched")
  void requestOnAForeignLoopIsRefused() throws Exception {
    MountedApplication application = mount("management { enabled = true, port = 0 }");
    String own = application.read(parts -> Thread.currentThread().getName());
    Foreign foreign = new Foreign(application, own);
    for (int i = 0; foreign.port() == 0; i++) {
      assertTrue(i < 20, "another event loop");
      await(vertx.deployVerticle(foreign));
      foreign = foreign.port() == 0 ? new Foreign(application, own) : foreign;
    }
    try (McpSocket refused = initialize(foreign.port())) {
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
  @DisplayName("two on one router and one with a port of its own are apart in everything")
  void severalInOneVertxAreApart() throws Exception {
    ScriptedBackend other = new ScriptedBackend("other");
    ScriptedBackend third = new ScriptedBackend("demo");
    MountedApplication first = mount("listen.path = /a");
    MountedApplication second = new MountedApplication("listen.path = /b", other).startIn(vertx);
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
  @DisplayName("of two addresses the one is named that is taken")
  void takenAddressIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      String management = "management { enabled = true, port = %d }, listen.port = %d";
      assertEquals("address in use, management=127.0.0.1:" + port, refusal(management, port, 0));
      assertEquals("address in use, listen=127.0.0.1:" + port, refusal(management, 0, port));
    }
  }

  private String refusal(String hocon, int management, int listen) throws Exception {
    GatewayConfig config = ConfigLoader.parse(hocon.formatted(management, listen)).orElseThrow();
    Future<String> deployed = vertx.deployVerticle(new GatewayVerticle(config));
    return StartFailure.of(await(deployed.<Throwable>mapEmpty().otherwise(cause -> cause)), config)
        .getMessage()
        .replaceFirst(";.*", "");
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
    TestGateway.until("three are in progress", () -> application.connections() == 3);
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
        new MountedApplication("", new ScriptedBackend("demo")).port(port).startIn(vertx);
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
    MountedApplication application = mount("");
    IllegalStateException wrongThread =
        assertThrows(
            IllegalStateException.class, () -> application.gateway.mount(application.router));
    assertTrue(wrongThread.getMessage().contains("event loop"), wrongThread::getMessage);
  }
}
