package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.config.BackendConfig;
import io.fairlead.gateway.config.CallTimeout;
import io.fairlead.gateway.config.ConfigLoader;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tools that consumers on the event bus serve. */
class EventBusBackendTest extends LocalBench {
  private static final JsonObject NONE = new JsonObject();

  private final EventBus bus = loop.vertx().eventBus();
  private final List<MessageConsumer<?>> consumers = new ArrayList<>();
  private EventBusBackend backend;

  private Link serve(String hocon) {
    return serve(hocon, Duration.ofMinutes(10));
  }

  private Link serve(String hocon, Duration afterCall) {
    backend = new EventBusBackend("app", config(hocon), loop.vertx(), afterCall);
    return open(backend);
  }

  private MessageConsumer<JsonObject> consumer(
      String address, Handler<Message<JsonObject>> handler) {
    MessageConsumer<JsonObject> consumer = bus.consumer(address, handler);
    consumers.add(consumer);
    OwnerLoop.await(consumer.completion());
    return consumer;
  }

  @AfterEach
  void closeAll() {
    consumers.stream().filter(MessageConsumer::isRegistered).forEach(MessageConsumer::unregister);
    loop.await(backend::close);
  }

  @Test
  @DisplayName("clients see name, description, schemas and annotations as they are configured")
  void toolsAreListed() {
    Link link =
        serve(
            """
            tools.find {
              address = a, description = "Finds."
              input-schema { properties { id { type = integer, minimum = 1 } }, required = [id] }
              output-schema { type = object }
              annotations { readOnlyHint = true }
            }
            """);
    JsonObject tool = result(call(link, "tools/list", NONE)).getJsonArray("tools").getJsonObject(0);
    assertEquals(
        new JsonObject(
            """
            {"name":"find","description":"Finds.",
             "inputSchema":{"type":"object","properties":{"id":{"type":"integer","minimum":1}},
                            "required":["id"]},
             "outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}
            """),
        tool);
  }

  @Test
  @DisplayName("a consumer gets the arguments, the configured headers, the tool and who asks")
  void consumerGetsArgumentsAndPrincipal() throws Exception {
    BlockingQueue<Message<JsonObject>> got = new LinkedBlockingQueue<>();
    consumer(
        "orders",
        message -> {
          got.add(message);
          message.reply("done");
        });
    Link link = serve("each-tool { address = orders }\ntools.find { headers { action = find } }");
    CallRecorder recorder = new CallRecorder();
    String request =
        Messages.request("1", "tools/call", "{\"name\":\"find\",\"arguments\":{\"id\":7}}");
    loop.call(
        () -> link.call(Messages.read(request), new Principal("https://i", "ada", ""), recorder));
    assertEquals("done", text(result(recorder)));
    Message<JsonObject> message = got.poll(10, TimeUnit.SECONDS);
    assertEquals(new JsonObject().put("id", 7), message.body());
    MultiMap headers = message.headers();
    assertEquals("find", headers.get("action"));
    assertEquals("find", headers.get("fairlead-tool"));
    assertEquals("https://i", headers.get("fairlead-issuer"));
    assertEquals("ada", headers.get("fairlead-subject"));
    assertFalse(headers.contains("fairlead-client"));
  }

  private static String text(JsonObject result) {
    return result.getJsonArray("content").getJsonObject(0).getString("text");
  }

  @Test
  @DisplayName("a result stays as it is, another object is a structured one, other JSON is a text")
  void replyBecomesAResult() {
    JsonObject asIs = ToolResult.failure("no").put("_meta", new JsonObject().put("k", 1));
    List<Object> replies = new ArrayList<>();
    replies.add(asIs);
    replies.add(new JsonObject().put("content", "not blocks"));
    replies.add("text");
    replies.add(42);
    replies.add(new JsonArray().add(1));
    replies.add(null);
    consumer("a", message -> message.reply(replies.remove(0)));
    Link link = serve("tools.t { address = a }");
    assertEquals(asIs, result(tool(link, "t", NONE)));
    JsonObject structured = result(tool(link, "t", NONE));
    assertEquals(
        new JsonObject().put("content", "not blocks"),
        structured.getJsonObject("structuredContent"));
    assertEquals("text", text(result(tool(link, "t", NONE))));
    assertEquals("42", text(result(tool(link, "t", NONE))));
    assertEquals("[1]", text(result(tool(link, "t", NONE))));
    assertEquals(new JsonArray(), result(tool(link, "t", NONE)).getJsonArray("content"));
  }

  @Test
  @DisplayName("a consumer's failure is a result that says so; a reply that is no JSON is one too")
  void failureOfTheConsumerIsToldAsAResult() {
    consumer("a", message -> message.fail(7, "the order is closed"));
    consumer("b", message -> message.reply(new byte[] {1}));
    consumer("c", message -> message.fail(9, null));
    Link link = serve("tools { t { address = a }, u { address = b }, v { address = c } }");
    JsonObject failed = result(tool(link, "t", NONE));
    assertEquals("the order is closed", text(failed));
    assertTrue(failed.getBoolean("isError"));
    JsonObject odd = result(tool(link, "u", NONE));
    assertTrue(odd.getBoolean("isError"));
    assertTrue(text(odd).contains("no JSON, type=byte[]"), odd::encode);
    assertEquals("The tool failed, code=9", text(result(tool(link, "v", NONE))));
  }

  @Test
  @DisplayName("an address without a consumer: nothing ran, said at once; with one later, it works")
  void addressWithoutAConsumerIsSaid() {
    Link link = serve("tools.t { address = nobody }");
    assertEquals("lost NOT_DISPATCHED no_consumer", tool(link, "t", NONE).take());
    consumer("nobody", message -> message.reply("here"));
    assertEquals("here", text(result(tool(link, "t", NONE))));
    assertEquals(0, (int) loop.call(backend::pending));
  }

  @Test
  @DisplayName("a consumer that goes away with the request unread: nothing ran")
  void requestThatNobodyReadIsNotDispatched() {
    MessageConsumer<JsonObject> consumer = consumer("a", message -> message.reply("read"));
    consumer.pause();
    Link link = serve("tools.t { address = a }");
    CallRecorder recorder = tool(link, "t", NONE);
    loop.until("it was sent", () -> backend.pending() == 1);
    OwnerLoop.await(consumer.unregister());
    assertEquals("lost NOT_DISPATCHED no_consumer", recorder.take());
  }

  @Test
  @DisplayName("what the bus itself gives up on may have run")
  void failureOfTheBusIsAnUnknownOutcome() {
    consumer(
        "a",
        message ->
            message.reply(new ReplyException(ReplyFailure.ERROR, "the other member is gone")));
    Link link = serve("tools.t { address = a }");
    assertEquals("lost UNKNOWN backend_lost", tool(link, "t", NONE).take());
  }

  @Test
  @DisplayName("without call-timeout a reply may take longer than the bus's own 30 s")
  void replyMayTakeAsLongAsItTakes() {
    BackendConfig.EventBus config = config("tools.t { address = a }");
    assertEquals(Optional.empty(), config.callTimeout());
    Link link = serve("tools.t { address = a }");
    BlockingQueue<Message<JsonObject>> got = new LinkedBlockingQueue<>();
    consumer("a", got::add);
    CallRecorder recorder = tool(link, "t", NONE);
    loop.until("it was sent", () -> !got.isEmpty());
    assertEquals(List.of(), recorder.takeAll());
    assertTrue(EventBusBackend.patience(config).toDays() >= 365);
    got.remove().reply("late");
    assertEquals("late", text(result(recorder)));
  }

  private static BackendConfig.EventBus config(String hocon) {
    return (BackendConfig.EventBus)
        ConfigLoader.parse("backends.app { type = event-bus\n" + hocon + "\n}")
            .orElseThrow()
            .backends()
            .get("app");
  }

  @Test
  @DisplayName("with call-timeout the outcome is unknown, and the bus forgets the request after it")
  void deadlineIsAnUnknownOutcome() {
    serve("call-timeout = 200ms\ntools.t { address = a }");
    consumer("a", message -> {});
    Link link =
        open(
            new DeadlineBackend(
                backend, loop.vertx(), new CallTimeout(Duration.ofMillis(200), Optional.empty())));
    assertEquals("lost UNKNOWN call_timeout", tool(link, "t", NONE).take());
    assertEquals(1, (int) loop.call(backend::pending));
    loop.until("the bus forgot it", () -> backend.pending() == 0);
  }

  @Test
  @DisplayName("requests without a reply are bounded, those of cancelled calls included")
  void requestsWithoutAReplyAreBounded() {
    BlockingQueue<Message<JsonObject>> got = new LinkedBlockingQueue<>();
    consumer("a", got::add);
    Link link = serve("max-pending = 2\ntools.t { address = a }");
    Link.Dispatched first =
        call(link, Messages.request("1", "tools/call", "{\"name\":\"t\"}"), new CallRecorder());
    CallRecorder second = tool(link, "t", NONE);
    loop.until("both were sent", () -> backend.pending() == 2);
    loop.run(() -> first.cancel("test"));
    assertEquals("lost NOT_DISPATCHED overloaded", tool(link, "t", NONE).take());
    loop.until("both are there", () -> got.size() == 2);
    got.forEach(message -> message.reply("x"));
    assertEquals("x", text(result(second)));
    assertEquals(0, (int) loop.call(backend::pending));
  }

  @Test
  @DisplayName("a consumer that throws never replies: a while after the call its place is free")
  void placeOfARequestThatNobodyRepliesToIsFreeAfterItsCall() {
    BlockingQueue<Message<JsonObject>> got = new LinkedBlockingQueue<>();
    consumer(
        "a",
        message -> {
          got.add(message);
          throw new ClassCastException("of the application");
        });
    Link link = serve("max-pending = 1\ntools.t { address = a }", Duration.ofMillis(1));
    CallRecorder recorder = new CallRecorder();
    Link.Dispatched call =
        call(link, Messages.request("1", "tools/call", "{\"name\":\"t\"}"), recorder);
    loop.until("it is there", () -> got.size() == 1);
    assertEquals("lost NOT_DISPATCHED overloaded", tool(link, "t", NONE).take());
    loop.run(() -> call.cancel("test"));
    loop.until("its place is free", () -> backend.pending() == 0);
    got.remove().reply("too late");
    CallRecorder next = tool(link, "t", NONE);
    loop.until("the next is there", () -> got.size() == 1);
    got.remove().reply("in time");
    assertEquals("in time", text(result(next)));
    assertEquals(List.of(), recorder.takeAll());
  }

  @Test
  @DisplayName("closed: the bus is left nothing that waits for a reply")
  void nothingWaitsForAReplyAfterTheEnd() {
    consumer("a", message -> {});
    Link link = serve("tools { t { address = a }, u { address = a } }");
    CallRecorder first = tool(link, "t", NONE);
    CallRecorder second = tool(link, "u", NONE);
    loop.until("both were sent", () -> backend.pending() == 2);
    loop.await(backend::close);
    loop.until("the bus forgot them", () -> backend.pending() == 0);
    assertEquals("lost UNKNOWN backend_lost", first.take());
    assertEquals("lost UNKNOWN backend_lost", second.take());
  }

  @Test
  @DisplayName("closed while a request waits: the caller is told, a late reply reaches nobody")
  void lateReplyReachesNobody() {
    BlockingQueue<Message<JsonObject>> got = new LinkedBlockingQueue<>();
    consumer("a", got::add);
    Link link = serve("tools.t { address = a }");
    CallRecorder recorder = tool(link, "t", NONE);
    loop.until("it is there", () -> !got.isEmpty());
    loop.await(backend::close);
    assertEquals("lost UNKNOWN backend_lost", recorder.take());
    got.remove().reply("late");
    loop.until("the reply came", () -> backend.pending() == 0);
    assertEquals(List.of(), recorder.takeAll());
  }

  @Test
  @DisplayName("schemas may be files of JSON beside the configuration")
  void schemaMayBeAFile(@TempDir Path directory) throws Exception {
    Files.writeString(
        directory.resolve("find.json"),
        "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\","
            + "\"properties\":{\"a.b\":{\"default\":null}}}",
        UTF_8);
    Path file = directory.resolve("app.conf");
    Files.writeString(
        file,
        "backends.app { type = event-bus, tools.find { address = a, input-schema { include"
            + " \"find.json\" } } }");
    BackendConfig.EventBus config =
        (BackendConfig.EventBus)
            ConfigLoader.load(Optional.of(file), Map.of()).orElseThrow().backends().get("app");
    JsonObject schema = new JsonObject(config.tools().get("find").inputSchema());
    assertEquals("https://json-schema.org/draft/2020-12/schema", schema.getString("$schema"));
    assertTrue(schema.getJsonObject("properties").containsKey("a.b"));
  }
}
