package io.fairlead.gateway.backend;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;

/**
 * The tools of the demo backend.
 *
 * <p>Thread: owner loop. Owner: the backend that they are registered with.
 */
final class DemoTools {
  static final int MAX_KEYS = 10_000;

  private static final String ECHO =
      """
      {"name":"echo","title":"Echo","description":"Answers with the text that it was given.",
      "inputSchema":{"type":"object","properties":{
      "text":{"type":"string","description":"What to answer with"}},"required":["text"]},
      "annotations":{"readOnlyHint":true,"openWorldHint":false}}""";
  private static final String ADD =
      """
      {"name":"add","title":"Add","description":"Adds two numbers.",
      "inputSchema":{"type":"object","properties":{
      "a":{"type":"number","description":"The first number"},
      "b":{"type":"number","description":"The second number"}},"required":["a","b"]},
      "outputSchema":{"type":"object","properties":{
      "sum":{"type":"number","description":"a + b"}},"required":["sum"]},
      "annotations":{"readOnlyHint":true,"openWorldHint":false}}""";
  private static final String WAIT =
      """
      {"name":"wait","title":"Wait","description":"Waits, and reports progress meanwhile to a client\
       that asks for it. Can be cancelled. Cut the connection while it runs: the result is not lost.",
      "inputSchema":{"type":"object","properties":{
      "ms":{"type":"integer","minimum":0,"maximum":3600000,"description":"How long, in milliseconds"},
      "ticks":{"type":"integer","minimum":0,"maximum":10000,"default":0,\
      "description":"How many times to report progress"}},"required":["ms"]},
      "annotations":{"readOnlyHint":true,"openWorldHint":false}}""";
  private static final String COUNT =
      """
      {"name":"count","title":"Count","description":"Adds one to the counter with this key and answers\
       the total. A side effect to watch: every run counts, so a call that ran twice shows.",
      "inputSchema":{"type":"object","properties":{
      "key":{"type":"string","maxLength":200,"description":"Name of the counter"}},"required":["key"]},
      "outputSchema":{"type":"object","properties":{
      "key":{"type":"string"},"total":{"type":"integer"}},"required":["key","total"]},
      "annotations":{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,\
      "openWorldHint":false}}""";
  private static final String ASK =
      """
      {"name":"ask","title":"Ask the user","description":"Asks the user a question through the client\
       (elicitation) and answers with what the user said.",
      "inputSchema":{"type":"object","properties":{
      "message":{"type":"string","description":"The question"}},"required":["message"]},
      "annotations":{"readOnlyHint":true}}""";
  private static final String SAMPLE =
      """
      {"name":"sample","title":"Ask the model","description":"Has the client's model answer a prompt\
       (sampling).",
      "inputSchema":{"type":"object","properties":{
      "prompt":{"type":"string","description":"What the model is asked"}},"required":["prompt"]},
      "annotations":{"readOnlyHint":true}}""";
  private static final String LOG =
      """
      {"name":"log","title":"Log","description":"Sends a log message to the client; one below the\
       level that the client has set is not sent.",
      "inputSchema":{"type":"object","properties":{
      "level":{"type":"string","enum":["debug","info","notice","warning","error","critical","alert",\
      "emergency"],"description":"How serious it is"},
      "message":{"type":"string","description":"The text"}},"required":["level","message"]},
      "annotations":{"readOnlyHint":true,"openWorldHint":false}}""";

  private final Map<String, Long> counters = new HashMap<>();

  private DemoTools() {}

  static void register(LocalBackend demo) {
    DemoTools tools = new DemoTools();
    demo.tool(oneLine(ECHO), DemoTools::echo)
        .tool(oneLine(ADD), DemoTools::add)
        .tool(oneLine(WAIT), DemoWait::call)
        .tool(oneLine(COUNT), tools::count)
        .tool(oneLine(ASK), DemoTools::ask)
        .tool(oneLine(SAMPLE), DemoTools::sample)
        .tool(oneLine(LOG), DemoTools::log);
  }

  private static String oneLine(String definition) {
    return definition.replace("\n", "");
  }

  private static Future<JsonObject> echo(ToolCall call) {
    return Future.succeededFuture(ToolResult.text(string(call, "text")));
  }

  private static Future<JsonObject> add(ToolCall call) {
    Number a = number(call, "a");
    Number b = number(call, "b");
    return Future.succeededFuture(ToolResult.structured(new JsonObject().put("sum", sum(a, b))));
  }

  /** Two small whole numbers have a whole sum. */
  private static Number sum(Number a, Number b) {
    if (a instanceof Integer && b instanceof Integer) {
      return a.longValue() + b.longValue();
    }
    double sum = a.doubleValue() + b.doubleValue();
    if (!Double.isFinite(sum)) {
      throw new ToolFailure("the sum is out of range; a and b must be smaller");
    }
    return sum;
  }

  private Future<JsonObject> count(ToolCall call) {
    String key = string(call, "key");
    if (counters.size() >= MAX_KEYS && !counters.containsKey(key)) {
      throw new ToolFailure("counters=" + MAX_KEYS + "; use a key that exists");
    }
    long total = counters.merge(key, 1L, Long::sum);
    return Future.succeededFuture(
        ToolResult.structured(new JsonObject().put("key", key).put("total", total)));
  }

  private static Future<JsonObject> ask(ToolCall call) {
    JsonObject answer =
        new JsonObject().put("type", "string").put("title", "Answer").put("maxLength", 1000);
    JsonObject schema =
        new JsonObject()
            .put("type", "object")
            .put("properties", new JsonObject().put("answer", answer))
            .put("required", new JsonArray().add("answer"));
    JsonObject params =
        new JsonObject().put("message", string(call, "message")).put("requestedSchema", schema);
    return call.elicit(params).map(DemoTools::answered);
  }

  private static JsonObject answered(JsonObject result) {
    String action = String.valueOf(result.getValue("action"));
    if (!action.equals("accept")) {
      return ToolResult.text("The user did not answer: " + action);
    }
    Object content = result.getValue("content");
    Object answer = content instanceof JsonObject form ? form.getValue("answer") : content;
    return ToolResult.text("The user answered: " + answer);
  }

  private static Future<JsonObject> sample(ToolCall call) {
    JsonObject content = new JsonObject().put("type", "text").put("text", string(call, "prompt"));
    JsonObject message = new JsonObject().put("role", "user").put("content", content);
    JsonObject params =
        new JsonObject().put("messages", new JsonArray().add(message)).put("maxTokens", 500);
    return call.sample(params)
        .map(result -> result.getValue("content") instanceof JsonObject said ? said : result)
        .map(said -> ToolResult.text("The model answered: " + said.getValue("text")));
  }

  private static Future<JsonObject> log(ToolCall call) {
    String level = string(call, "level");
    if (!LocalLink.LEVELS.contains(level)) {
      throw new ToolFailure("level must be one of " + LocalLink.LEVELS);
    }
    call.log(level, "demo", string(call, "message"));
    return Future.succeededFuture(ToolResult.text("logged at " + level));
  }

  static String string(ToolCall call, String name) {
    if (call.arguments().getValue(name) instanceof String text) {
      return text;
    }
    throw new ToolFailure(name + " must be a string");
  }

  static Number number(ToolCall call, String name) {
    if (call.arguments().getValue(name) instanceof Number number) {
      return number;
    }
    throw new ToolFailure(name + " must be a number");
  }
}
