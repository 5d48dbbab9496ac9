package io.fairlead.gateway;

import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PfxOptions;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A Streamable HTTP server in front of which a bridge runs: it opens a stream with one notification
 * for each tool call and does not answer it, answers a resume, and never answers a DELETE.
 *
 * <p>Thread: its loop; what it notes may be read by any.
 */
final class StubServer implements AutoCloseable {
  /** One request: its HTTP method, the JSON-RPC method, the credentials and the cursor. */
  record Asked(String verb, String method, String authorization, String cursor) {}

  private final Vertx vertx = Vertx.vertx();
  private final HttpServer server;
  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();
  private final Promise<Void> confirmable = Promise.promise();
  private volatile boolean holdsConfirmation;
  private volatile List<JsonObject> ownMessages = List.of();
  private volatile int resultBytes;

  private StubServer(Optional<PfxOptions> key, String host) {
    HttpServerOptions options = new HttpServerOptions();
    key.ifPresent(pfx -> options.setSsl(true).setKeyCertOptions(pfx));
    server =
        vertx
            .createHttpServer(options)
            .connectionHandler(this::opened)
            .requestHandler(request -> request.body().onSuccess(body -> answer(request, body)))
            .listen(0, host)
            .await();
  }

  static StubServer plain() {
    return new StubServer(Optional.empty(), "127.0.0.1");
  }

  /** On an address of the machine that others can reach. */
  static StubServer at(String host) {
    return new StubServer(Optional.empty(), host);
  }

  static StubServer tls(PfxOptions key) {
    return new StubServer(Optional.of(key), "127.0.0.1");
  }

  private void opened(HttpConnection connection) {
    open.add(connection);
    connection.closeHandler(gone -> open.remove(connection));
  }

  /** What it says on the standalone stream; without any, it has none. */
  void says(List<JsonObject> messages) {
    ownMessages = messages;
  }

  /** It answers tool calls, with results of one text of this many bytes. */
  void answersWith(int bytes) {
    resultBytes = bytes;
  }

  /** The client's {@code initialized} is not accepted before {@link #confirm}. */
  void holdConfirmation() {
    holdsConfirmation = true;
  }

  void confirm() {
    confirmable.complete();
  }

  int port() {
    return server.actualPort();
  }

  /** Everything, in order. */
  List<Asked> asked() {
    return asked;
  }

  List<Asked> asked(String verb, String method) {
    return asked.stream()
        .filter(each -> each.verb().equals(verb) && each.method().equals(method))
        .toList();
  }

  /** It is not there any more. */
  void leave() {
    server.close().await();
  }

  /** Closes every connection. */
  void cut() {
    open.forEach(HttpConnection::close);
  }

  private void answer(HttpServerRequest request, Buffer body) {
    JsonObject message = body.length() == 0 ? new JsonObject() : body.toJsonObject();
    String method = message.getString("method", "");
    String cursor = Objects.toString(request.getHeader("Last-Event-ID"), "");
    String authorization = Objects.toString(request.getHeader("Authorization"), "");
    asked.add(new Asked(request.method().name(), method, authorization, cursor));
    HttpServerResponse response = request.response();
    if (request.method() == HttpMethod.GET) {
      get(response, cursor);
    } else if (request.method() == HttpMethod.POST) {
      post(response, method, message);
    }
  }

  private void get(HttpServerResponse response, String cursor) {
    if (cursor.isEmpty() && ownMessages.isEmpty()) {
      response.setStatusCode(405).end();
    } else if (cursor.isEmpty()) {
      stream(response);
      ownMessages.forEach(message -> response.write("data: " + message.encode() + "\n\n"));
    } else {
      JsonObject result = new JsonObject().put("resumed", true);
      stream(response).end(event("b", answer(1, result)));
    }
  }

  private void post(HttpServerResponse response, String method, JsonObject message) {
    if (holdsConfirmation && method.equals("notifications/initialized")) {
      confirmable.future().onSuccess(v -> response.setStatusCode(202).end());
    } else if (!message.containsKey("id")) {
      response.setStatusCode(202).end();
    } else if (method.equals("tools/call") && resultBytes > 0) {
      JsonObject result = new JsonObject().put("text", "x".repeat(resultBytes));
      stream(response).end(event("a", answer(message.getValue("id"), result)));
    } else if (method.equals("tools/call")) {
      JsonObject note = new JsonObject().put("jsonrpc", "2.0").put("method", "notifications/x");
      stream(response).write(event("a", note));
    } else {
      response.putHeader("Content-Type", "application/json");
      response.putHeader("Mcp-Session-Id", "s");
      JsonObject result = new JsonObject();
      if (method.equals("initialize")) {
        result
            .put("protocolVersion", "2025-11-25")
            .put("capabilities", new JsonObject())
            .put("serverInfo", new JsonObject().put("name", "stub").put("version", "1"));
      }
      response.end(answer(message.getValue("id"), result).toBuffer());
    }
  }

  private static HttpServerResponse stream(HttpServerResponse response) {
    return response.setChunked(true).putHeader("Content-Type", "text/event-stream");
  }

  private static String event(String id, JsonObject message) {
    return "id: " + id + "\ndata: " + message.encode() + "\n\n";
  }

  private static JsonObject answer(Object id, JsonObject result) {
    return new JsonObject().put("jsonrpc", "2.0").put("id", id).put("result", result);
  }

  @Override
  public void close() {
    vertx.close().await();
  }
}
