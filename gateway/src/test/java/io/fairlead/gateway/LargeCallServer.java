package io.fairlead.gateway;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A tool server over HTTP with one tool {@code t}, whose calls are large and meet what the test
 * chooses.
 *
 * <p>Thread: its loop; what it counts may be read by any.
 */
final class LargeCallServer implements AutoCloseable {
  /** What becomes of a call. */
  enum Manner {
    /** It is read, and never answered. */
    SILENT,
    /** Its answer begins as a stream, and never ends. */
    BEGINS,
    /** It is not read. */
    DEAF,
    /** It is answered, with as much as it brought. */
    ECHOES
  }

  private final Vertx vertx = Vertx.vertx();
  private final HttpServer server;
  private final AtomicInteger calls = new AtomicInteger();
  private volatile Manner manner = Manner.SILENT;

  LargeCallServer() {
    server = vertx.createHttpServer().requestHandler(this::take).listen(0, "127.0.0.1").await();
  }

  String url() {
    return "http://127.0.0.1:" + server.actualPort() + "/mcp";
  }

  /** What becomes of the calls that come from now on. */
  void manner(Manner next) {
    manner = next;
  }

  /** Calls whose head has arrived. */
  int calls() {
    return calls.get();
  }

  private void take(HttpServerRequest request) {
    request.exceptionHandler(cut -> {});
    request.response().exceptionHandler(cut -> {});
    if (request.method() != HttpMethod.POST) {
      request.response().setStatusCode(405).end();
    } else if (Integer.parseInt(request.getHeader("Content-Length")) < 10_000) {
      request.body().onSuccess(body -> answer(request.response(), body.toJsonObject()));
    } else {
      call(request);
    }
  }

  private void call(HttpServerRequest request) {
    calls.incrementAndGet();
    HttpServerResponse response = request.response();
    switch (manner) {
      case SILENT -> request.handler(ignored -> {});
      case BEGINS -> request.handler(ignored -> {}).endHandler(end -> begin(response));
      case DEAF -> {
        request.handler(ignored -> {}).pause();
        // what has arrived is let go with its connection
        request.connection().closeHandler(gone -> request.resume());
      }
      case ECHOES -> request.body().onSuccess(body -> echo(response, body));
    }
  }

  private static void begin(HttpServerResponse response) {
    response.setChunked(true).putHeader("Content-Type", "text/event-stream").write(": open\n\n");
  }

  private static void echo(HttpServerResponse response, Buffer body) {
    JsonObject message = body.toJsonObject();
    answer(response, message.getValue("id"), message.getJsonObject("params"));
  }

  private static void answer(HttpServerResponse response, JsonObject message) {
    JsonObject result = new JsonObject();
    switch (message.getString("method")) {
      case "initialize" ->
          result
              .put("protocolVersion", "2025-11-25")
              .put("capabilities", new JsonObject().put("tools", new JsonObject()))
              .put("serverInfo", new JsonObject().put("name", "large").put("version", "1"));
      case "tools/list" ->
          result.put(
              "tools",
              new JsonArray()
                  .add(
                      new JsonObject()
                          .put("name", "t")
                          .put("inputSchema", new JsonObject().put("type", "object"))));
      default -> {}
    }
    if (message.containsKey("id")) {
      answer(response, message.getValue("id"), result);
    } else {
      response.setStatusCode(202).end();
    }
  }

  private static void answer(HttpServerResponse response, Object id, JsonObject result) {
    JsonObject answer = new JsonObject().put("jsonrpc", "2.0").put("id", id).put("result", result);
    response.putHeader("Content-Type", "application/json").putHeader("Mcp-Session-Id", "s");
    response.end(answer.toBuffer());
  }

  @Override
  public void close() {
    vertx.close().await();
  }
}
