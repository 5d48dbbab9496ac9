package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.Json;
import io.fairlead.wire.RpcId;
import io.fairlead.wire.Span;
import io.fairlead.wire.WireLimits;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A stdio MCP server for tests, run as a child process: it behaves as its first argument says when
 * it starts, and as a tool's name says when that tool is called.
 *
 * <p>Thread: the main thread of its own process.
 */
final class ScriptedServer {
  private final OutputStream out = new BufferedOutputStream(System.out, 1 << 16);
  private final EnvelopeReader reader = new EnvelopeReader(new WireLimits(100, 10_000, 1000, 1000));
  private final Set<RpcId> held = new HashSet<>();
  private int cancels;
  private int executions;
  private int pongs;
  private Optional<RpcId> asking = Optional.empty();

  /** The call whose question comes when another call is held. */
  private Optional<RpcId> toAsk = Optional.empty();

  private ScriptedServer() {}

  public static void main(String[] arguments) throws Exception {
    String mode = arguments.length == 0 ? "normal" : arguments[0];
    ScriptedServer server = new ScriptedServer();
    switch (mode) {
      case "exit" -> System.exit(7);
      case "silent" -> System.in.transferTo(OutputStream.nullOutputStream());
      case "garbage" -> {
        server.line("Starting up, please wait ...");
        server.out.flush();
        System.in.transferTo(OutputStream.nullOutputStream());
      }
      case "chatty" -> {
        server.line("not JSON");
        server.raw(new byte[] {(byte) 0xff, (byte) 0xfe, '{', '\n'});
        server.line("");
        server.serve(false);
      }
      case "refuse" -> server.serve(true);
      default -> server.serve(false);
    }
  }

  private void serve(boolean refuse) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      Envelope message = reader.read(line.getBytes(UTF_8));
      switch (message.kind()) {
        case REQUEST -> request(message, message.id().orElseThrow(), refuse);
        case NOTIFICATION -> notification(message);
        default -> answered(message);
      }
      out.flush();
    }
  }

  private void request(Envelope message, RpcId id, boolean refuse) throws Exception {
    switch (message.method()) {
      case "initialize" -> {
        if (refuse) {
          error(id, -32603, "no");
        } else {
          result(
              id,
              "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                  + "\"serverInfo\":{\"name\":\"scripted\",\"version\":\"1\"}}");
        }
      }
      case "ping" -> result(id, "{}");
      case "tools/list" -> list(id);
      case "tools/call" -> tool(message, id);
      default -> error(id, -32601, "Method not found");
    }
  }

  private void list(RpcId id) throws IOException {
    String tool = "{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}";
    String asks = String.format(tool, "ask-at-hold");
    result(id, "{\"tools\":[" + asks + "," + String.format(tool, "hold") + "]}");
  }

  private void notification(Envelope message) {
    message
        .cancelledId()
        .map(span -> RpcId.copyOf(message.bytes(), span))
        .filter(held::remove)
        .ifPresent(id -> cancels++);
  }

  private void answered(Envelope message) throws IOException {
    if (asking.isEmpty()) {
      pongs++;
      return;
    }
    byte[] bytes = message.bytes();
    String answer =
        message
            .result()
            .flatMap(span -> Json.member(bytes, span, "content"))
            .flatMap(span -> Json.member(bytes, span, "answer"))
            .flatMap(span -> Json.string(bytes, span))
            .or(() -> reason(message))
            .orElse("error");
    text(asking.get(), answer);
    asking = Optional.empty();
  }

  private static Optional<String> reason(Envelope error) {
    byte[] bytes = error.bytes();
    return error
        .error()
        .flatMap(span -> Json.member(bytes, span, "data"))
        .flatMap(span -> Json.member(bytes, span, "reason"))
        .flatMap(span -> Json.string(bytes, span))
        .map(reason -> "refused " + reason);
  }

  private void ask(RpcId call) throws IOException {
    asking = Optional.of(call);
    line(Messages.request("\"ask-1\"", "elicitation/create", "{\"message\":\"?\"}"));
  }

  private void hold(RpcId id) throws IOException {
    held.add(id);
    if (toAsk.isPresent()) {
      line(Messages.notification("notifications/message"));
      ask(toAsk.get());
      toAsk = Optional.empty();
    }
  }

  private void tool(Envelope message, RpcId id) throws Exception {
    executions++;
    switch (message.name().orElseThrow()) {
      case "echo" -> text(id, string(message, "text"));
      case "hold" -> hold(id);
      case "cancels" -> text(id, String.valueOf(cancels));
      case "executions" -> text(id, String.valueOf(executions));
      case "progress" -> {
        progress(message);
        text(id, "done");
      }
      case "flood" -> {
        flood(Integer.parseInt(string(message, "n")));
        text(id, "flooded");
      }
      case "ask" -> ask(id);
      case "ask-at-hold" -> toAsk = Optional.of(id);
      case "pongs" -> text(id, String.valueOf(pongs));
      case "log" -> {
        line(Messages.notification("notifications/message"));
        text(id, "logged");
      }
      case "changed" -> {
        line(Messages.notification("notifications/tools/list_changed"));
        text(id, "changed");
      }
      case "updated" -> {
        line(Messages.updated(string(message, "text")));
        text(id, "updated");
      }
      case "later" -> {
        text(id, "wait for it");
        line(Messages.request("\"ping-1\"", "ping"));
        line(Messages.notification("notifications/message"));
      }
      case "env" -> text(id, String.valueOf(System.getenv(string(message, "text"))));
      case "directory" -> text(id, System.getProperty("user.dir"));
      case "pid" -> text(id, String.valueOf(ProcessHandle.current().pid()));
      default -> misbehave(message.name().orElseThrow(), id);
    }
  }

  private void misbehave(String tool, RpcId id) throws Exception {
    switch (tool) {
      case "crash" -> Runtime.getRuntime().halt(3);
      case "answer-and-crash" -> {
        flood(3300);
        text(id, "last words");
        out.flush();
        Runtime.getRuntime().halt(0);
      }
      case "garbage" -> {
        line("}{ oops");
        raw(new byte[] {'{', '"', (byte) 0xc0, (byte) 0xaf, '"', '}', '\n'});
        line("[1,2,3]");
        text(id, "after garbage");
      }
      case "bad-utf8" -> {
        raw(("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"x\":\"").getBytes(UTF_8));
        raw(new byte[] {(byte) 0xff, '"', '}', '}', '\n'});
      }
      case "bad-utf8-id-last" -> {
        raw(new byte[] {'{', '"', 'r', 'e', 's', 'u', 'l', 't', '"', ':', '"', (byte) 0xff, '"'});
        line(",\"jsonrpc\":\"2.0\",\"id\":" + id + "}");
      }
      case "huge" -> result(id, "{\"x\":\"" + "y".repeat(200_000) + "\"}");
      case "huge-id-last" ->
          line("{\"result\":{\"x\":\"" + "y".repeat(200_000) + "\"},\"id\":" + id + "}");
      case "twice" -> {
        text(id, "first");
        text(id, "second");
      }
      case "foreign" -> {
        text(RpcId.of(9_999_999), "foreign");
        text(RpcId.of(id.toString()), "a string");
        text(id, "own");
      }
      case "stderr-flood" -> {
        PrintStream error = new PrintStream(System.err, false, UTF_8);
        for (int i = 0; i < 20_000; i++) {
          error.println("noise " + i + " \u001b[31m and more noise to fill the pipe".repeat(3));
        }
        error.write("no line end".repeat(100_000).getBytes(UTF_8));
        error.flush();
        text(id, "survived");
      }
      case "deaf" -> {
        text(id, "deaf now");
        out.flush();
        Thread.sleep(Long.MAX_VALUE);
      }
      default -> error(id, -32602, "Unknown tool");
    }
  }

  private void progress(Envelope message) throws IOException {
    int n = Integer.parseInt(number(message, "n"));
    Optional<Span> token = message.progressToken();
    for (int i = 1; i <= n && token.isPresent(); i++) {
      String json = new String(Json.copy(message.bytes(), token.get()), UTF_8);
      line(Messages.progress(json, String.valueOf(i)));
    }
  }

  private void flood(int lines) throws IOException {
    for (int i = 0; i < lines; i++) {
      line(
          "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\","
              + "\"data\":"
              + i
              + "}}");
    }
  }

  private static Optional<Span> argument(Envelope message, String name) {
    byte[] bytes = message.bytes();
    return message
        .params()
        .flatMap(span -> Json.member(bytes, span, "arguments"))
        .flatMap(span -> Json.member(bytes, span, name));
  }

  private static String string(Envelope message, String name) {
    return argument(message, name)
        .flatMap(span -> Json.string(message.bytes(), span))
        .orElseThrow();
  }

  private static String number(Envelope message, String name) {
    return new String(Json.copy(message.bytes(), argument(message, name).orElseThrow()), UTF_8);
  }

  private void text(RpcId id, String text) throws IOException {
    String quoted = new String(Json.quote(text), UTF_8);
    result(id, "{\"content\":[{\"type\":\"text\",\"text\":" + quoted + "}]}");
  }

  private void result(RpcId id, String result) throws IOException {
    line(Messages.result(id.toString(), result));
  }

  private void error(RpcId id, int code, String message) throws IOException {
    line(
        String.format(
            "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,\"message\":\"%s\"}}",
            id, code, message));
  }

  private void line(String line) throws IOException {
    raw((line + "\n").getBytes(UTF_8));
  }

  private void raw(byte[] bytes) throws IOException {
    out.write(bytes);
  }
}
