package io.fairlead.gateway.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract's demo backend. */
class DemoBackendTest extends LocalBench {
  private Link link;

  @BeforeEach
  void openDemo() {
    link = open(DemoBackend.create());
  }

  private CallRecorder tool(String tool, String arguments) {
    return tool(link, tool, new JsonObject(arguments));
  }

  private String text(String tool, String arguments) {
    return LinkContract.text(tool(tool, arguments).take());
  }

  private String failure(String tool, String arguments) {
    JsonObject result = result(tool(tool, arguments));
    assertEquals(true, result.getBoolean("isError"));
    return result.getJsonArray("content").getJsonObject(0).getString("text");
  }

  private void answer(String told, String result) {
    Object id = LinkContract.told("message", told).getValue("id");
    byte[] answer = Messages.result(String.valueOf(id), result).getBytes(StandardCharsets.UTF_8);
    loop.run(() -> link.answer(answer));
  }

  @Test
  void listsItsToolsWithSchemas() {
    JsonArray tools = result(call(link, "tools/list", new JsonObject())).getJsonArray("tools");
    List<String> names = new ArrayList<>();
    for (int i = 0; i < tools.size(); i++) {
      JsonObject tool = tools.getJsonObject(i);
      names.add(tool.getString("name"));
      assertTrue(tool.getString("description").length() > 10);
      assertEquals("object", tool.getJsonObject("inputSchema").getString("type"));
      JsonObject properties = tool.getJsonObject("inputSchema").getJsonObject("properties");
      properties.forEach(
          property -> assertTrue(((JsonObject) property.getValue()).containsKey("description")));
    }
    assertEquals(List.of("echo", "add", "wait", "count", "ask", "sample", "log"), names);
  }

  @Test
  void echoAnswersTheText() {
    assertEquals("h\u00e9", text("echo", "{\"text\":\"h\u00e9\"}"));
    assertEquals("text must be a string", failure("echo", "{}"));
  }

  @Test
  void addAddsWholeAndFractionalNumbers() {
    JsonObject result = result(tool("add", "{\"a\":2,\"b\":3}"));
    assertEquals("{\"sum\":5}", result.getJsonObject("structuredContent").encode());
    assertEquals("{\"sum\":2.75}", text("add", "{\"a\":2.5,\"b\":0.25}"));
    assertEquals(
        "the sum is out of range; a and b must be smaller",
        failure("add", "{\"a\":1e308,\"b\":1e308}"));
    assertEquals("b must be a number", failure("add", "{\"a\":1,\"b\":\"2\"}"));
  }

  @Test
  void waitReportsEachTick() {
    CallRecorder recorder = new CallRecorder();
    call(link, Messages.toolCall("1", "wait", "{\"ms\":20,\"ticks\":4}", "1"), recorder);
    for (int i = 1; i <= 4; i++) {
      JsonObject params = LinkContract.told("message", recorder.take()).getJsonObject("params");
      assertEquals(i, params.getInteger("progress"));
      assertEquals(4, params.getInteger("total"));
    }
    assertEquals("waited 20 ms", LinkContract.text(recorder.take()));
  }

  @Test
  void waitOfNothingAnswers() {
    assertEquals("waited 0 ms", text("wait", "{\"ms\":0}"));
    assertTrue(failure("wait", "{\"ms\":-1}").startsWith("ms must be"));
  }

  @Test
  void waitStopsItsTimerWhenCancelled() {
    CallRecorder recorder = new CallRecorder();
    Link.Dispatched call =
        call(
            link,
            Messages.toolCall("1", "wait", "{\"ms\":3600000,\"ticks\":10000}", "1"),
            recorder);
    recorder.take();
    loop.run(() -> call.cancel("enough"));
    recorder.takeAll();
    // a timer of 360 ms would have fired before one that is set now and is longer
    text("wait", "{\"ms\":400}");
    assertEquals(List.of(), recorder.takeAll());
  }

  @Test
  void countCountsByKeyAndFromZeroInEachBackend() {
    assertEquals("{\"key\":\"a\",\"total\":1}", text("count", "{\"key\":\"a\"}"));
    assertEquals("{\"key\":\"a\",\"total\":2}", text("count", "{\"key\":\"a\"}"));
    assertEquals("{\"key\":\"b\",\"total\":1}", text("count", "{\"key\":\"b\"}"));
    link = open(DemoBackend.create());
    assertEquals("{\"key\":\"a\",\"total\":1}", text("count", "{\"key\":\"a\"}"));
  }

  @Test
  void askAsksTheUser() {
    CallRecorder recorder = tool("ask", "{\"message\":\"Why?\"}");
    String told = recorder.take();
    JsonObject params = LinkContract.told("message", told).getJsonObject("params");
    assertEquals("Why?", params.getString("message"));
    assertEquals("object", params.getJsonObject("requestedSchema").getString("type"));
    answer(told, "{\"action\":\"accept\",\"content\":{\"answer\":\"Because\"}}");
    assertEquals("The user answered: Because", LinkContract.text(recorder.take()));
  }

  @Test
  void askSaysThatTheUserDeclined() {
    CallRecorder recorder = tool("ask", "{\"message\":\"Why?\"}");
    answer(recorder.take(), "{\"action\":\"decline\"}");
    assertEquals("The user did not answer: decline", LinkContract.text(recorder.take()));
  }

  @Test
  void sampleAsksTheModel() {
    CallRecorder recorder = tool("sample", "{\"prompt\":\"Say hi\"}");
    String told = recorder.take();
    assertTrue(told.contains("\"method\":\"sampling/createMessage\""));
    assertTrue(told.contains("Say hi"));
    answer(
        told,
        "{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"type\":\"text\",\"text\":\"hi\"}}");
    assertEquals("The model answered: hi", LinkContract.text(recorder.take()));
  }

  @Test
  void logLogs() {
    CallRecorder recorder = tool("log", "{\"level\":\"warning\",\"message\":\"m\"}");
    JsonObject params = LinkContract.told("message", recorder.take()).getJsonObject("params");
    assertEquals("warning", params.getString("level"));
    assertEquals("m", params.getString("data"));
    assertEquals("logged at warning", LinkContract.text(recorder.take()));
    assertTrue(
        failure("log", "{\"level\":\"loud\",\"message\":\"m\"}").startsWith("level must be"));
  }

  @Test
  void resourcesAreRead() {
    assertEquals(2, listed("resources/list", "resources"));
    assertEquals(1, listed("resources/templates/list", "resourceTemplates"));
    assertTrue(read("demo://text").getString("text").contains("Fairlead"));
    assertTrue(read("demo://binary").getString("blob").startsWith("iVBORw0KGgo"));
    assertEquals("Hello, Ada L!", read("demo://greeting/Ada%20L").getString("text"));
  }

  private int listed(String method, String member) {
    return result(call(link, method, new JsonObject())).getJsonArray(member).size();
  }

  private JsonObject read(String uri) {
    return result(call(link, "resources/read", new JsonObject().put("uri", uri)))
        .getJsonArray("contents")
        .getJsonObject(0);
  }

  @Test
  void promptIsFilledInAndItsArgumentsAreCompleted() {
    JsonObject params = new JsonObject("{\"name\":\"introduce\",\"arguments\":{\"name\":\"Ada\"}}");
    assertTrue(result(call(link, "prompts/get", params)).encode().contains("introduce Ada in a"));
    JsonObject completion =
        new JsonObject(
            "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"introduce\"},"
                + "\"argument\":{\"name\":\"style\",\"value\":\"P\"}}");
    assertEquals(
        List.of("pirate", "poetic"),
        result(call(link, "completion/complete", completion))
            .getJsonObject("completion")
            .getJsonArray("values")
            .getList());
  }
}
