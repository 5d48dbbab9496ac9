package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An HTTP backend that goes away behind a proxy, which keeps connections open. */
class BackendGoneIT {
  private static final Duration BOUND = Duration.ofSeconds(20);

  @TempDir Path directory;

  private static TestGateway gatewayOf(int port) throws Exception {
    return TestGateway.start(
        "backends.far { type = http, url = \"http://127.0.0.1:%d/mcp\" }".formatted(port));
  }

  private static String wait(int id) {
    return McpSession.request(
        "" + id,
        "tools/call",
        "{\"name\":\"wait\",\"arguments\":{\"ms\":60000,\"ticks\":600},"
            + "\"_meta\":{\"progressToken\":\"p\"}}");
  }

  private static String echo(int id) {
    return McpSession.request(
        "" + id, "tools/call", "{\"name\":\"echo\",\"arguments\":{\"text\":\"new run\"}}");
  }

  private static JsonObject outcome(String answer) {
    JsonObject result = new JsonObject(answer).getJsonObject("result");
    assertTrue(result.getBoolean("isError"), answer);
    return result.getJsonObject("_meta").getJsonObject("io.fairlead/outcome");
  }

  /** The next message that answers, whatever is said before it. */
  private static String answer(McpSocket stream) throws Exception {
    String message = stream.message().data();
    while (message.contains("\"method\"")) {
      message = stream.message().data();
    }
    return message;
  }

  private static void assertToldSoon(McpSocket call, long sinceNanos) throws Exception {
    String answer = answer(call);
    Duration took = Duration.ofNanos(System.nanoTime() - sinceNanos);
    System.out.println("told after ms=" + took.toMillis());
    assertEquals("unknown", outcome(answer).getString("state"));
    assertTrue(took.compareTo(BOUND) < 0, "took=" + took);
  }

  @Test
  @DisplayName("streams 24, 40: a killed Fairlead is told as unknown, its next run is used")
  void callIsToldWhenBackendIsKilled() throws Exception {
    try (FatJar first = FatJar.start(directory, "--port", "0")) {
      int port = first.url().getPort();
      try (HoldingProxy proxy = new HoldingProxy(port);
          TestGateway gateway = gatewayOf(proxy.port())) {
        McpSession session = McpSession.open(gateway.port());
        McpSocket call = session.post(wait(1));
        call.message();
        long killed = System.nanoTime();
        first.kill();
        assertToldSoon(call, killed);
        try (TestGateway second = TestGateway.start("")) {
          proxy.moveTo(second.port());
          assertTrue(answer(session.post(echo(2))).contains("new run"));
        }
      }
    }
  }

  @Test
  @DisplayName("streams 40: a Fairlead that was restarted between two probes is noticed")
  void callIsToldWhenBackendIsRestarted() throws Exception {
    try (TestGateway first = TestGateway.start("");
        TestGateway second = TestGateway.start("");
        HoldingProxy proxy = new HoldingProxy(first.port());
        TestGateway gateway = gatewayOf(proxy.port())) {
      McpSession session = McpSession.open(gateway.port());
      McpSocket call = session.post(wait(1));
      call.message();
      long moved = System.nanoTime();
      proxy.moveTo(second.port());
      assertToldSoon(call, moved);
      assertTrue(answer(session.post(echo(2))).contains("new run"));
    }
  }

  @Test
  @DisplayName("streams 40: a server that is no Fairlead is told as gone when pings find none")
  void callIsToldWhenForeignBackendIsGone() throws Exception {
    try (StubServer server = StubServer.plain();
        HoldingProxy proxy = new HoldingProxy(server.port());
        TestGateway gateway = gatewayOf(proxy.port())) {
      McpSession session = McpSession.open(gateway.port());
      McpSocket call = session.post(wait(1));
      call.message();
      long killed = System.nanoTime();
      server.leave();
      assertToldSoon(call, killed);
    }
  }
}
