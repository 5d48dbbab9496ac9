package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import io.vertx.ext.web.handler.BodyHandler;
import java.io.InputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A gateway on a router of the application around it. */
class MountIT extends MountBench {
  @Test
  @DisplayName(
      "the application's routes and its 404 stay its own; the endpoint, its path and health")
  void routesStandBesideThoseOfTheApplication() throws Exception {
    int port = mount("").port();
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
    MountedApplication application = mount("");
    McpSession session = McpSession.open(application.port());
    McpSocket post = session.post(McpSession.call("1"));
    String start = post.next().orElseThrow().id();
    OpenCall call = backend.nextCall();
    call.note("one");
    assertTrue(post.message().data().contains("one"));
    assertEquals(1, application.connections());
    post.reset();
    TestGateway.until("it left", () -> sinks(application) == 0);
    assertEquals(0, application.connections());
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

  private static int sinks(MountedApplication application) {
    return application.read(parts -> parts.services().tally().sinks());
  }

  @Test
  @DisplayName("a client that reads nothing is cut on the application's connection too")
  void clientThatReadsNothingIsCut() throws Exception {
    MountedApplication application =
        new MountedApplication(
                "limits { slow-reader-timeout = 500ms, keep-alive = 200ms }", backend)
            .startIn(vertx);
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
  @DisplayName("a body that a handler before the gateway has read is missed, not taken for empty")
  void bodyThatIsGoneIsRefused() throws Exception {
    MountedApplication application =
        new MountedApplication("", backend)
            .before(router -> router.route().handler(BodyHandler.create(false)))
            .startIn(vertx);
    try (McpSocket refused = initialize(application.port())) {
      assertEquals(500, refused.status());
      assertTrue(refused.body().contains("body_gone"));
    }
  }

  @Test
  @DisplayName("a handler before the gateway that waits and pauses the request costs nothing")
  void handlerThatWaitsAndPausesIsFine() throws Exception {
    MountedApplication application =
        new MountedApplication("", backend)
            .before(
                router ->
                    router
                        .route()
                        .handler(
                            context -> {
                              context.request().pause();
                              context.vertx().setTimer(50, fired -> context.next());
                            }))
            .startIn(vertx);
    McpSession.open(application.port()).delete().expect(204);
  }

  @Test
  @DisplayName("without authentication only a loopback address is served, whatever Host says")
  void addressOfOthersNeedsAuthentication() throws Exception {
    Optional<InetAddress> address = addressOfOthers();
    Assumptions.assumeTrue(address.isPresent(), "this machine has a loopback address alone");
    String open =
        "listen.allowed-hosts = [127.0.0.1, \"" + address.get().getHostAddress() + "\"]\n";
    MountedApplication closed =
        new MountedApplication(open, backend).host("0.0.0.0").startIn(vertx);
    HttpResponse<String> refused = post(address.get(), closed.port());
    assertEquals(403, refused.statusCode());
    assertTrue(refused.body().contains("not_loopback"));
    McpSession.open(closed.port());

    ScriptedBackend second = new ScriptedBackend("demo");
    MountedApplication allowed =
        new MountedApplication(open + "auth.allow-anonymous = true", second)
            .host("0.0.0.0")
            .startIn(vertx);
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
    MountedApplication application = mount("");
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
    MountedApplication application = mount("limits.connections = 1");
    McpSession session = McpSession.open(application.port());
    McpSocket post = session.post(McpSession.call("1"));
    post.next();
    session.post(McpSession.call("2")).expect(503);
    backend.nextCall().answer("x");
    post.rest();
    session.delete().expect(204);
  }
}
