package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.auth.Principal;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What an embedding application offers, and what clients see of it. */
class LocalBackendTest extends LocalBench {
  private static final JsonObject ANY = new JsonObject().put("type", "object");

  private static Future<JsonObject> done(ToolCall call) {
    return Future.succeededFuture(ToolResult.text("done"));
  }

  private static LocalBackend app() {
    return LocalBackend.named("app");
  }

  private static Set<String> capabilities(Link link) {
    return initialized(link).getJsonObject("capabilities").fieldNames();
  }

  @Test
  void capabilitiesAreThoseOfWhatIsRegistered() {
    assertEquals(Set.of("logging"), capabilities(open(app())));
    assertEquals(
        Set.of("logging", "tools"),
        capabilities(open(app().tool("t", "", ANY, LocalBackendTest::done))));
    assertEquals(
        Set.of("logging", "resources"),
        capabilities(open(app().resource("a:b", "b", "text/plain", "text"))));
    assertEquals(
        Set.of("logging", "prompts", "completions"),
        capabilities(
            open(
                app()
                    .prompt("p", "", List.of(), get -> Future.succeededFuture(new JsonObject()))
                    .completion(completion -> Future.succeededFuture(List.of())))));
  }

  @Test
  void serverIsIntroduced() {
    JsonObject result = initialized(open(app().version("1.2").instructions("Read me")));
    assertEquals(
        new JsonObject().put("name", "app").put("version", "1.2"),
        result.getJsonObject("serverInfo"));
    assertEquals("Read me", result.getString("instructions"));
  }

  @Test
  void definitionsAreSentByteByByte() {
    String tool =
        "{ \"name\":\"raw\", \"inputSchema\":{\"$schema\":\"https://json-schema.org/draft/2020-12/"
            + "schema\",\"type\":\"object\",\"minimum\":1.00,\"$defs\":{\"a\":{\"$anchor\":\"x\"}},"
            + "\"allOf\":[ ]},\"icons\":[{\"src\":\"\\u0064ata:,\"}],\"annotations\":{},"
            + "\"x-unknown\":12345678901234567890123 }";
    Link link =
        open(
            app()
                .tool("first", "", ANY, LocalBackendTest::done)
                .tool(tool, LocalBackendTest::done));
    String answer = call(link, "tools/list", new JsonObject()).take();
    assertTrue(answer.contains("," + tool + "]}"), answer);
  }

  @Test
  void definitionWithoutNameIsRefusedAtOnce() {
    LocalBackend app = app();
    assertThrows(IllegalArgumentException.class, () -> app.tool("{}", LocalBackendTest::done));
    assertThrows(IllegalArgumentException.class, () -> app.tool("[1]", LocalBackendTest::done));
    assertThrows(IllegalArgumentException.class, () -> app.tool("{", LocalBackendTest::done));
  }

  @Test
  void unknownToolIsInvalidParams() {
    assertEquals(-32602, code(tool(open(app()), "no", new JsonObject())));
  }

  @Test
  void argumentsMustBeAnObject() {
    Link link = open(app().tool("t", "", ANY, LocalBackendTest::done));
    JsonObject params = new JsonObject().put("name", "t").put("arguments", new JsonArray());
    assertEquals(-32602, code(call(link, "tools/call", params)));
    assertEquals(-32602, code(call(link, "tools/call", new JsonObject().put("name", 7))));
  }

  @Test
  void argumentsAreHeldAsBytesAloneWhileTheToolRuns() {
    Promise<JsonObject> result = Promise.promise();
    List<ToolCall> running = new ArrayList<>();
    Link link =
        open(
            app()
                .tool(
                    "t",
                    "",
                    ANY,
                    call -> {
                      running.add(call);
                      return result.future();
                    }));
    CallRecorder answer = tool(link, "t", new JsonObject().put("a", new JsonArray().add(1)));
    loop.call(() -> link);
    WeakReference<JsonObject> read = new WeakReference<>(running.get(0).arguments());
    assertEquals(new JsonArray().add(1), running.get(0).arguments().getJsonArray("a"));
    long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (read.get() != null) {
      assertTrue(System.nanoTime() < deadline, "they are still held");
      System.gc();
    }
    assertEquals(new JsonArray().add(1), running.get(0).arguments().getJsonArray("a"));
    result.complete(ToolResult.text("done"));
    assertTrue(answer.take().contains("done"));
  }

  @Test
  void toolThatIsRemovedIsGoneAndClientsAreTold() {
    LocalBackend app = app().tool("t", "", ANY, LocalBackendTest::done);
    Link link = open(app);
    app.removeTool("t").removeTool("t");
    assertTrue(linkListener.take().contains("notifications/tools/list_changed"));
    assertEquals(-32602, code(tool(link, "t", new JsonObject())));
    assertEquals(List.of(), linkListener.takeAll());
  }

  @Test
  void clientsAreToldOfWhatIsAddedLater() {
    LocalBackend app = app();
    Link link = open(app);
    app.tool("t", "", ANY, LocalBackendTest::done)
        .resource("a:b", "b", "text/plain", "text")
        .prompt("p", "", List.of(), get -> Future.succeededFuture(new JsonObject()));
    assertTrue(linkListener.take().contains("notifications/tools/list_changed"));
    assertTrue(linkListener.take().contains("notifications/resources/list_changed"));
    assertTrue(linkListener.take().contains("notifications/prompts/list_changed"));
    assertEquals(
        "done",
        result(tool(link, "t", new JsonObject()))
            .getJsonArray("content")
            .getJsonObject(0)
            .getString("text"));
  }

  @Test
  void textResourceIsRead() {
    Link link = open(app().resource("a:b", "b", "text/plain", "text"));
    assertEquals(
        "{\"contents\":[{\"uri\":\"a:b\",\"mimeType\":\"text/plain\",\"text\":\"text\"}]}",
        result(call(link, "resources/read", new JsonObject().put("uri", "a:b"))).encode());
  }

  @Test
  void binaryResourceIsReadAsStandardBase64() {
    Buffer bytes = Buffer.buffer(new byte[] {(byte) 0xfb, (byte) 0xff, (byte) 0xfe, 0});
    Link link = open(app().resource("a:b", "b", "image/x", bytes));
    JsonObject result = result(call(link, "resources/read", new JsonObject().put("uri", "a:b")));
    assertEquals("+//+AA==", result.getJsonArray("contents").getJsonObject(0).getString("blob"));
  }

  @Test
  void templateIsReadWithItsVariables() {
    Link link =
        open(
            app()
                .template(
                    "t://{id}/data",
                    "data",
                    "text/plain",
                    read ->
                        Future.succeededFuture(
                            new JsonObject().put("read", read.uri() + read.variables()))));
    JsonObject params = new JsonObject().put("uri", "t://a%20b/data");
    assertEquals(
        "t://a%20b/data{id=a b}", result(call(link, "resources/read", params)).getString("read"));
    JsonObject listed = result(call(link, "resources/templates/list", new JsonObject()));
    assertEquals(1, listed.getJsonArray("resourceTemplates").size());
  }

  @Test
  void unknownResourceIsNotFound() {
    JsonObject error =
        error(call(open(app()), "resources/read", new JsonObject().put("uri", "no:such")));
    assertEquals(-32002, error.getInteger("code"));
    assertEquals("no:such", error.getJsonObject("data").getString("uri"));
  }

  @Test
  void updateIsToldToWhoSubscribed() {
    LocalBackend app = app().resource("a:b", "b", "text/plain", "x").resource("a:c", "c", "t", "x");
    Link link = open(app);
    result(call(link, "resources/subscribe", new JsonObject().put("uri", "a:b")));
    app.resourceUpdated("a:c").resourceUpdated("a:b");
    assertEquals(
        "message {\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\","
            + "\"params\":{\"uri\":\"a:b\"}}",
        linkListener.take());
    result(call(link, "resources/unsubscribe", new JsonObject().put("uri", "a:b")));
    app.resourceUpdated("a:b");
    loop.run(() -> {});
    assertEquals(List.of(), linkListener.takeAll());
  }

  @Test
  void subscriptionToNothingIsNotFound() {
    assertEquals(
        -32002,
        code(call(open(app()), "resources/subscribe", new JsonObject().put("uri", "no:such"))));
  }

  @Test
  void promptNeedsItsRequiredArguments() {
    Link link =
        open(
            app()
                .prompt(
                    "p",
                    "",
                    List.of(
                        new PromptHandler.Argument("a", "", true),
                        new PromptHandler.Argument("b", "", false)),
                    get ->
                        Future.succeededFuture(
                            new JsonObject().put("got", get.arguments().toString()))));
    JsonObject params = new JsonObject().put("name", "p");
    assertEquals(-32602, code(call(link, "prompts/get", params)));
    params.put("arguments", new JsonObject().put("a", "1"));
    assertEquals("{a=1}", result(call(link, "prompts/get", params)).getString("got"));
    assertEquals(-32602, code(call(link, "prompts/get", new JsonObject().put("name", "no"))));
  }

  @Test
  void completionIsCutAtAHundred() {
    List<String> many = IntStream.range(0, 150).mapToObj(i -> "v" + i).toList();
    Link link = open(app().completion(completion -> Future.succeededFuture(many)));
    JsonObject params =
        new JsonObject(
            "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"p\"},"
                + "\"argument\":{\"name\":\"a\",\"value\":\"v\"}}");
    JsonObject completion =
        result(call(link, "completion/complete", params)).getJsonObject("completion");
    assertEquals(100, completion.getJsonArray("values").size());
    assertEquals(150, completion.getInteger("total"));
    assertTrue(completion.getBoolean("hasMore"));
  }

  @Test
  void completionIsEmptyWhenNobodyOffersIt() {
    JsonObject params =
        new JsonObject(
            "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"u\"},"
                + "\"argument\":{\"name\":\"a\",\"value\":\"v\"},"
                + "\"context\":{\"arguments\":{\"b\":\"c\"}}}");
    JsonObject completion =
        result(call(open(app()), "completion/complete", params)).getJsonObject("completion");
    assertTrue(completion.getJsonArray("values").isEmpty());
    assertFalse(completion.getBoolean("hasMore"));
  }

  @Test
  void malformedInitializeParamsAreRefused() {
    LocalBackend app = app();
    LinkRequest request = new LinkRequest("[1]".getBytes(), Principal.ANONYMOUS, linkListener);
    BackendFailure failure =
        assertThrows(BackendFailure.class, () -> loop.await(() -> app.open(request)));
    assertEquals("malformed", failure.reason());
  }

  @Test
  void handlerThatNeverEndsLeavesTheCallOpenUntilItsLateResultIsDropped() {
    Promise<JsonObject> late = Promise.promise();
    Link link = open(app().tool("t", "", ANY, call -> late.future()));
    CallRecorder recorder = new CallRecorder();
    Link.Dispatched call = call(link, Messages.toolCall("1", "t", "{}"), recorder);
    loop.run(() -> call.cancel("enough"));
    loop.run(() -> late.complete(ToolResult.text("late")));
    loop.run(() -> {});
    assertEquals(List.of(), recorder.takeAll());
  }

  @Test
  void secondGatewayIsRefused() {
    LocalBackend backend = LocalBackend.named("app");
    open(backend);
    try (OwnerLoop other = new OwnerLoop()) {
      LinkRequest request =
          new LinkRequest("{}".getBytes(UTF_8), Principal.ANONYMOUS, new LinkRecorder());
      BackendFailure failure =
          assertThrows(BackendFailure.class, () -> other.await(() -> backend.open(request)));
      assertEquals(
          "backend=app: it serves another gateway; make a LocalBackend for each",
          failure.getMessage());
    }
  }
}
