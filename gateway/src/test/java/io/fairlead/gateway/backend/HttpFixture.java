package io.fairlead.gateway.backend;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * An MCP server over HTTP with the tools of {@link LinkContract}, on a Vert.x of its own. It notes
 * the headers of each POST. Tool {@code refuse {status}} answers with that status and a body that
 * nobody may see.
 *
 * <p>Thread: its own loop; the notes may be read by any.
 */
final class HttpFixture implements AutoCloseable {
  private static final int MAX_BINDS = 50;

  private final Vertx vertx = Vertx.vertx();
  private final Set<String> sessions = new HashSet<>();
  private final Set<Object> held = new HashSet<>();
  private final Map<String, HttpServerResponse> asking = new HashMap<>();
  private final List<String> notes = new CopyOnWriteArrayList<>();
  private Optional<HttpServerResponse> standalone = Optional.empty();
  private HttpServer server;
  private int port;
  private int cancels;
  private int opened;

  HttpFixture() {
    start();
  }

  /** Listens, on the same port if it did before. Sessions of before are unknown. */
  void start() {
    port = OwnerLoop.await(listen(MAX_BINDS));
  }

  /** The port may be taken for a moment, by a connection that somebody makes elsewhere. */
  private Future<Integer> listen(int attempts) {
    server = vertx.createHttpServer().requestHandler(this::handle);
    return server
        .listen(port, "127.0.0.1")
        .map(HttpServer::actualPort)
        .recover(
            taken ->
                attempts == 1
                    ? Future.failedFuture(taken)
                    : vertx
                        .timer(100, TimeUnit.MILLISECONDS)
                        .compose(later -> listen(attempts - 1)));
  }

  void stop() {
    OwnerLoop.await(server.shutdown(0, TimeUnit.SECONDS));
    sessions.clear();
    standalone = Optional.empty();
  }

  String url() {
    return "http://127.0.0.1:" + port + "/mcp";
  }

  /** {@code <rpc method> <header>=<value>} for the headers that tests look at; {@code holds}. */
  List<String> notes() {
    return notes;
  }

  private void handle(HttpServerRequest request) {
    request.body().onSuccess(body -> handle(request, body));
  }

  private void handle(HttpServerRequest request, Buffer body) {
    HttpServerResponse response = request.response();
    JsonObject message = body.length() == 0 ? new JsonObject() : body.toJsonObject();
    String method = message.getString("method", request.method().name());
    notes.add(method + " x-asker=" + request.getHeader("x-asker"));
    notes.add(method + " authorization=" + request.getHeader("authorization"));
    if (method.equals("initialize")) {
      initialize(response, message);
    } else if (!sessions.contains(request.getHeader("Mcp-Session-Id"))) {
      response.setStatusCode(404).end("no such session");
    } else if (request.method() == HttpMethod.GET) {
      standalone = Optional.of(sse(response));
    } else if (request.method() == HttpMethod.DELETE) {
      sessions.remove(request.getHeader("Mcp-Session-Id"));
      response.end();
    } else if (method.equals("tools/call")) {
      tool(response, message);
    } else if (method.equals("ping")) {
      json(response, answer(message, new JsonObject()));
    } else if (method.equals("no/such")) {
      json(response, error(message));
    } else {
      notice(message);
      response.setStatusCode(202).end();
    }
  }

  private void initialize(HttpServerResponse response, JsonObject message) {
    String session = "s" + ++opened;
    sessions.add(session);
    response.putHeader("Mcp-Session-Id", session);
    json(
        response,
        answer(
            message,
            new JsonObject()
                .put("protocolVersion", "2025-11-25")
                .put("capabilities", new JsonObject().put("tools", new JsonObject()))
                .put("serverInfo", new JsonObject().put("name", "f").put("version", "1"))));
  }

  private void notice(JsonObject message) {
    if ("notifications/cancelled".equals(message.getString("method"))
        && held.remove(message.getJsonObject("params").getValue("requestId"))) {
      cancels++;
    }
    HttpServerResponse waiting = asking.remove(String.valueOf(message.getValue("id")));
    if (waiting != null) {
      JsonObject result = message.getJsonObject("result");
      String text = result.getJsonObject("content").getString("answer");
      JsonObject call = new JsonObject().put("id", Long.valueOf(waiting.headers().get("x-call")));
      event(waiting, answer(call, said(text)));
      waiting.end();
    }
  }

  private void tool(HttpServerResponse response, JsonObject message) {
    JsonObject params = message.getJsonObject("params");
    JsonObject arguments = params.getJsonObject("arguments", new JsonObject());
    switch (params.getString("name")) {
      case "echo" -> json(response, answer(message, said(arguments.getString("text"))));
      case "cancels" -> json(response, answer(message, said(String.valueOf(cancels))));
      case "progress" -> progress(sse(response), message, arguments.getInteger("n"));
      case "hold" -> {
        held.add(message.getValue("id"));
        sse(response);
        notes.add("holds");
      }
      case "ask" -> ask(response, message);
      case "log" -> {
        event(sse(response), notification("notifications/message", new JsonObject()));
        event(response, answer(message, said("logged")));
        response.end();
      }
      case "changed" -> {
        standalone.ifPresent(
            to -> event(to, notification("notifications/tools/list_changed", new JsonObject())));
        json(response, answer(message, said("changed")));
      }
      default -> {
        String status = arguments.getString("status");
        response
            .setStatusCode(Integer.parseInt(status))
            .putHeader("WWW-Authenticate", "Bearer realm=\"inside\"")
            .end("body of the inside at " + url());
      }
    }
  }

  private static void progress(HttpServerResponse response, JsonObject message, int n) {
    Object token =
        message
            .getJsonObject("params")
            .getJsonObject("_meta", new JsonObject())
            .getValue("progressToken");
    for (int i = 1; i <= n; i++) {
      JsonObject params = new JsonObject().put("progressToken", token).put("progress", i);
      event(response, notification("notifications/progress", params));
    }
    event(response, answer(message, said("done")));
    response.end();
  }

  private void ask(HttpServerResponse response, JsonObject message) {
    response.putHeader("x-call", String.valueOf(message.getValue("id")));
    asking.put("1", response);
    JsonObject asked = notification("elicitation/create", new JsonObject().put("message", "?"));
    event(sse(response), asked.put("id", 1));
  }

  private static HttpServerResponse sse(HttpServerResponse response) {
    response.setChunked(true).putHeader("Content-Type", "text/event-stream");
    response.write(": open\n\n");
    return response;
  }

  private static void event(HttpServerResponse response, JsonObject message) {
    response.write("data: " + message.encode() + "\n\n");
  }

  private static void json(HttpServerResponse response, JsonObject message) {
    response.putHeader("Content-Type", "application/json").end(message.encode());
  }

  private static JsonObject answer(JsonObject to, JsonObject result) {
    return new JsonObject()
        .put("jsonrpc", "2.0")
        .put("id", to.getValue("id"))
        .put("result", result);
  }

  private static JsonObject error(JsonObject to) {
    return new JsonObject()
        .put("jsonrpc", "2.0")
        .put("id", to.getValue("id"))
        .put("error", new JsonObject().put("code", -32601).put("message", "no such method"));
  }

  private static JsonObject notification(String method, JsonObject params) {
    return new JsonObject().put("jsonrpc", "2.0").put("method", method).put("params", params);
  }

  private static JsonObject said(String text) {
    JsonObject content = new JsonObject().put("type", "text").put("text", text);
    return new JsonObject().put("content", new JsonArray().add(content));
  }

  @Override
  public void close() {
    OwnerLoop.await(vertx.close());
  }
}
