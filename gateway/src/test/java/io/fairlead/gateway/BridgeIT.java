package io.fairlead.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The bridge as a process, in front of a gateway. */
class BridgeIT {
  private ScriptedBackend backend;
  private TestGateway gateway;

  @BeforeEach
  void start() throws Exception {
    backend = new ScriptedBackend("scripted");
    gateway = TestGateway.start("", backend);
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  private static String text(JsonObject answer) {
    return answer
        .getJsonObject("result")
        .getJsonArray("content")
        .getJsonObject(0)
        .getString("text");
  }

  @Test
  @DisplayName("streams 46, 47: framing is forgiving, bytes pass through as they are")
  void messagesPassAsTheyAre() throws Exception {
    String url = "http://127.0.0.1:" + gateway.port() + "/mcp";
    try (BridgeProcess bridge =
        BridgeProcess.start(
            List.of("-Dfile.encoding=Cp1252"), url, "--max-message", "64KiB", "--debug")) {
      bridge.sendRaw(("\ufeff" + BridgeProcess.INITIALIZE + "\r\n\r\n  \n").getBytes(UTF_8));
      assertEquals("init", bridge.next().getValue("id"));
      bridge.send("{not json");
      JsonObject refused = bridge.next();
      assertEquals(-32700, refused.getJsonObject("error").getInteger("code"));
      bridge.send("{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}");
      JsonObject idless = bridge.next().getJsonObject("error");
      assertTrue(idless.getString("message").endsWith("a request needs an id"));
      bridge.send(
          "{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"x\",\"params\":\""
              + "y".repeat(70_000)
              + "\"}");
      JsonObject tooLong = bridge.next();
      assertEquals(77, tooLong.getValue("id"));
      String params =
          "{\"zz\": 1 , \"name\":\"t\",\"arguments\":{\"big\":123456789012345678901234567890.50,"
              + "\"text\":\"h\u00e4 \ud83d\ude00\"},\"unknown\":[1e5,null]}";
      bridge.send(
          "{\"jsonrpc\":\"2.0\",\"id\":\"\u00e4\",\"method\":\"tools/call\",\"params\":"
              + params
              + "}");
      OpenCall call = backend.nextCall();
      String arrived =
          new String(
              io.fairlead.wire.Json.copy(call.request.bytes(), call.request.params().orElseThrow()),
              UTF_8);
      assertEquals(params, arrived);
      String note =
          "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":  1.00,"
              + "\"level\":\"info\",\"x\":\"\u20ac\"}}";
      call.say(note);
      assertEquals(note, bridge.nextLine());
      call.answer("done \ud83d\ude00");
      assertEquals(
          "{\"jsonrpc\":\"2.0\",\"id\":\"\u00e4\",\"result\":{\"content\":[{\"type\":\"text\","
              + "\"text\":\"done \ud83d\ude00\"}]}}",
          bridge.nextLine());
      bridge.closeStdin();
      assertEquals(0, bridge.exitCode(5));
      assertTrue(bridge.isQuiet());
    }
    TestGateway.until("its session ended", () -> gateway.holdings().sessions() == 0);
  }

  @Test
  @DisplayName("streams 20, 45, 49: each of two requests with one id gets its answer; none waits")
  void requestsWithOneIdEachGetAnAnswer() throws Exception {
    try (BridgeProcess bridge = BridgeProcess.ready(gateway.port())) {
      bridge.send(McpSession.call("1"));
      OpenCall first = backend.nextCall();
      bridge.send(McpSession.call("1"));
      OpenCall second = backend.nextCall();
      bridge.send(McpSession.request("2", "ping", "{}"));
      assertEquals(2, bridge.next().getValue("id"));
      second.answer("second");
      JsonObject answer = bridge.next();
      assertEquals(1, answer.getValue("id"));
      assertEquals("second", text(answer));
      first.answer("first");
      answer = bridge.next();
      assertEquals(1, answer.getValue("id"));
      assertEquals("first", text(answer));
    }
  }

  @Test
  @DisplayName("streams 43: a cancel goes on at once; no late answer, no other call is touched")
  void cancelReachesTheBackendAndNothingElse() throws Exception {
    try (BridgeProcess bridge = BridgeProcess.ready(gateway.port())) {
      bridge.send(McpSession.call("1"));
      OpenCall cancelled = backend.nextCall();
      bridge.send(McpSession.call("2"));
      OpenCall other = backend.nextCall();
      bridge.send(
          "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
              + "\"params\":{\"requestId\":1,\"reason\":\"enough\"}}");
      assertEquals("enough", cancelled.cancelled.poll(5, TimeUnit.SECONDS));
      bridge.send(
          "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":9}}");
      cancelled.answer("late");
      other.answer("kept");
      JsonObject answer = bridge.next();
      assertEquals(2, answer.getValue("id"));
      assertTrue(other.cancelled.isEmpty());
      assertTrue(bridge.isQuiet());
    }
  }

  @Test
  @DisplayName("streams 25: a question of the server reaches the client, its answer the server")
  void questionIsAnswered() throws Exception {
    try (BridgeProcess bridge = BridgeProcess.ready(gateway.port())) {
      bridge.send(McpSession.call("1"));
      OpenCall call = backend.nextCall();
      call.say(
          "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"elicitation/create\",\"params\":{\"message\":\"?\"}}");
      JsonObject question = bridge.next();
      bridge.send(
          new JsonObject()
              .put("jsonrpc", "2.0")
              .put("id", "never asked")
              .put("result", new JsonObject())
              .encode());
      bridge.send(
          new JsonObject()
              .put("jsonrpc", "2.0")
              .put("id", question.getValue("id"))
              .put("result", new JsonObject().put("action", "accept"))
              .encode());
      assertTrue(backend.answers.poll(5, TimeUnit.SECONDS).contains("accept"));
      assertTrue(backend.answers.isEmpty());
    }
  }

  @Test
  @DisplayName("streams 44: at the end calls are awaited, then cancelled, the session is ended")
  void processEndsWhenStdinDoes() throws Exception {
    try (BridgeProcess bridge = BridgeProcess.ready(gateway.port(), "--drain-timeout", "700ms")) {
      bridge.send(McpSession.call("1"));
      OpenCall answered = backend.nextCall();
      bridge.send(McpSession.call("2"));
      OpenCall silent = backend.nextCall();
      bridge.closeStdin();
      answered.answer("in time");
      assertEquals("in time", text(bridge.next()));
      assertEquals(0, bridge.exitCode(5));
      assertEquals(1, silent.cancelled.size());
      assertTrue(bridge.isQuiet());
    }
    TestGateway.until("its session ended", () -> gateway.holdings().sessions() == 0);
  }

  @Test
  @DisplayName("streams 44: SIGTERM ends it like the end of stdin")
  void processEndsOnSignal() throws Exception {
    try (BridgeProcess bridge = BridgeProcess.ready(gateway.port(), "--drain-timeout", "300ms")) {
      bridge.send(McpSession.call("1"));
      OpenCall silent = backend.nextCall();
      bridge.terminate();
      assertEquals(0, bridge.exitCode(5));
      assertEquals(1, silent.cancelled.size());
    }
    TestGateway.until("its session ended", () -> gateway.holdings().sessions() == 0);
  }

  @Test
  @DisplayName("streams 44: nobody reads its stdout: it ends")
  void processEndsWhenStdoutIsClosed() throws Exception {
    try (BridgeProcess bridge = BridgeProcess.ready(gateway.port())) {
      bridge.send(McpSession.call("1"));
      OpenCall call = backend.nextCall();
      bridge.closeStdout();
      // what is written while this side still reads arrives, so it goes on writing
      for (int i = 0; i < 100 && !bridge.endsWithin(50); i++) {
        call.note("into the void");
      }
      assertEquals(0, bridge.exitCode(5));
    }
  }

  @Test
  @DisplayName("contract: ignored tools are neither listed nor called")
  void ignoredToolDoesNotExist() throws Exception {
    try (BridgeProcess bridge = BridgeProcess.ready(gateway.port(), "--ignore-tool", "t*")) {
      bridge.send(McpSession.request("1", "tools/list", "{}"));
      assertEquals(0, bridge.next().getJsonObject("result").getJsonArray("tools").size());
      bridge.send(McpSession.call("2"));
      assertEquals(-32602, bridge.next().getJsonObject("error").getInteger("code"));
      assertTrue(backend.isQuiet());
    }
  }

  @Test
  @DisplayName("streams 46; field report B120: no line is lost while calls are cancelled")
  void noLineIsLostWhenCallsAreCancelled() throws Exception {
    int count = 300;
    try (BridgeProcess bridge = BridgeProcess.ready(gateway.port())) {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < count; i++) {
        lines.append(McpSession.request("" + i, "ping", "{}")).append('\n');
        lines.append(McpSession.request("\"c" + i + "\"", "prompts/list", "{}")).append('\n');
        lines
            .append("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":")
            .append("{\"requestId\":\"c" + i + "\"}}\n");
      }
      bridge.sendRaw(lines.toString().getBytes(UTF_8));
      Map<Integer, Integer> answers = new TreeMap<>();
      while (answers.size() < count) {
        Object id = bridge.next().getValue("id");
        if (id instanceof Integer number) {
          answers.merge(number, 1, Integer::sum);
        }
      }
      assertTrue(answers.values().stream().allMatch(times -> times == 1));
    }
  }
}
