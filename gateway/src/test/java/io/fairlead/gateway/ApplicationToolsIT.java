package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fairlead.gateway.backend.LocalBackend;
import io.fairlead.gateway.backend.ToolResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tools of an embedding application, in Java and on its event bus, behind a whole gateway. */
class ApplicationToolsIT {
  private static final Duration BLOCKED = Duration.ofMillis(300);
  private static final String BUS =
      """
      management { enabled = true, port = 0 }
      backends.orders {
        type = event-bus
        tools.find { address = "orders.find", description = "Finds an order." }
      }
      """;

  private final BlockingQueue<Message<JsonObject>> requests = new LinkedBlockingQueue<>();

  private MessageConsumer<JsonObject> consume(TestGateway gateway, String address)
      throws Exception {
    MessageConsumer<JsonObject> consumer = gateway.vertx().eventBus().consumer(address);
    consumer.handler(requests::add);
    consumer.completion().await(10, TimeUnit.SECONDS);
    return consumer;
  }

  private Message<JsonObject> request() throws InterruptedException {
    Message<JsonObject> message = requests.poll(10, TimeUnit.SECONDS);
    if (message == null) {
      throw new AssertionError("no request came");
    }
    return message;
  }

  private static String callOf(String id, String tool) {
    return McpSession.request(
        id, "tools/call", "{\"name\":\"" + tool + "\",\"arguments\":{\"number\":7}}");
  }

  private static JsonObject answer(McpSocket socket) throws Exception {
    return new JsonObject(socket.message().data());
  }

  @Test
  @DisplayName("a consumer's call is cut and resumed like any other; it knows who asks")
  void consumerOnTheEventBusIsATool() throws Exception {
    String keys = "auth { mode = api-key, api-keys { ada = \"0123456789abcdef\" } }\n";
    try (TestGateway gateway = TestGateway.start(keys + BUS)) {
      consume(gateway, "orders.find");
      String key = "X-Api-Key: 0123456789abcdef";
      McpSession session = McpSession.open(gateway.port(), "/mcp", "2025-11-25", key);
      try (McpSocket list = session.post(McpSession.request("1", "tools/list", "{}"), key)) {
        assertTrue(list.body().contains("\"find\""));
      }
      McpSocket post = session.post(callOf("2", "find"), key);
      String start = post.next().orElseThrow().id();
      Message<JsonObject> request = request();
      assertEquals("ada", request.headers().get("fairlead-subject"));
      assertEquals(7, request.body().getInteger("number"));
      post.reset();
      TestGateway.until("it left", () -> gateway.holdings().sinks() == 0);
      request.reply(new JsonObject().put("state", "open"));
      try (McpSocket resumed = session.get(key, "Last-Event-ID: " + start)) {
        JsonObject result = answer(resumed).getJsonObject("result");
        assertEquals("open", result.getJsonObject("structuredContent").getString("state"));
      }
      assertTrue(requests.isEmpty());
    }
  }

  @Test
  @DisplayName(
      "an address without a consumer: up, and each call says that nothing ran; then it works")
  void addressWithoutAConsumerIsToldAtOnce() throws Exception {
    try (TestGateway gateway = TestGateway.start(BUS)) {
      McpSession session = McpSession.open(gateway.port());
      McpSocket.send(gateway.port(), "GET", "/readyz", "").expect(200);
      try (McpSocket post = session.post(callOf("1", "find"))) {
        JsonObject result = answer(post).getJsonObject("result");
        JsonObject outcome = result.getJsonObject("_meta").getJsonObject("io.fairlead/outcome");
        assertEquals("not_dispatched", outcome.getString("state"));
        assertEquals("no_consumer", outcome.getString("reason"));
        assertTrue(outcome.getBoolean("retryable"));
        String text = result.getJsonArray("content").getJsonObject(0).getString("text");
        assertTrue(text.contains("address=orders.find"), text);
      }
      consume(gateway, "orders.find");
      try (McpSocket post = session.post(callOf("2", "find"))) {
        Message<JsonObject> request = request();
        assertTrue(
            gateway
                .read(TestGateway::scrape)
                .contains("fairlead_event_bus_requests{backend=\"orders\"} 1.0"));
        request.reply("found");
        assertTrue(answer(post).encode().contains("found"));
      }
      assertTrue(
          gateway
              .read(TestGateway::scrape)
              .contains("fairlead_event_bus_requests_limit{backend=\"orders\"} 1024.0"));
    }
  }

  @Test
  @DisplayName("a handler that keeps the loop is named and counted; those who waited lose nothing")
  void handlerThatBlocksIsSaid() throws Exception {
    Promise<JsonObject> waiting = Promise.promise();
    LocalBackend tools =
        LocalBackend.named("demo")
            .tool("waits", "", new JsonObject().put("type", "object"), call -> waiting.future())
            .tool(
                "blocks",
                "",
                new JsonObject().put("type", "object"),
                call -> {
                  long end = System.nanoTime() + BLOCKED.toNanos();
                  while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                  }
                  return Future.succeededFuture(ToolResult.text("blocked"));
                });
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    Logger log = (Logger) LoggerFactory.getLogger(LocalBackend.class);
    lines.start();
    log.addAppender(lines);
    try (TestGateway gateway =
        TestGateway.start("management { enabled = true, port = 0 }", tools)) {
      McpSession session = McpSession.open(gateway.port());
      McpSocket waits = session.post(callOf("1", "waits"));
      String start = waits.next().orElseThrow().id();
      McpSocket blocks = session.post(callOf("2", "blocks"));
      waits.reset();
      assertTrue(answer(blocks).encode().contains("blocked"));
      waiting.complete(ToolResult.text("waited"));
      try (McpSocket resumed = session.resume(start)) {
        assertTrue(answer(resumed).encode().contains("waited"));
      }
      List<String> said =
          lines.list.stream()
              .map(ILoggingEvent::getFormattedMessage)
              .filter(line -> line.contains("tool=blocks"))
              .toList();
      assertEquals(1, said.size(), said::toString);
      assertTrue(said.get(0).contains("executeBlocking"), said::toString);
      assertTrue(gateway.read(TestGateway::scrape).contains("fairlead_loop_blocked_total"));
    } finally {
      log.detachAppender(lines);
    }
  }
}
