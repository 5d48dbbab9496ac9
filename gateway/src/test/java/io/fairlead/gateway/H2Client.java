package io.fairlead.gateway;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One HTTP/2 connection over TLS, with any number of exchanges on it. Blocking, bounded. */
final class H2Client implements AutoCloseable {
  private static final int WINDOW = 16 * 1024 * 1024;

  private final Vertx vertx = Vertx.vertx();
  private final HttpClientAgent client;
  private final int port;
  private final CompletableFuture<HttpConnection> connection = new CompletableFuture<>();

  private H2Client(int port, Http2Settings settings) {
    this.port = port;
    HttpClientOptions options =
        new HttpClientOptions()
            .setSsl(true)
            .setUseAlpn(true)
            .setProtocolVersion(HttpVersion.HTTP_2)
            .setInitialSettings(settings)
            .setTrustAll(true)
            .setVerifyHost(false);
    client = vertx.httpClientBuilder().with(options).withConnectHandler(this::opened).build();
  }

  private void opened(HttpConnection opened) {
    // so that a stream that is not read leaves room for the others
    opened.setWindowSize(WINDOW);
    if (!connection.complete(opened)) {
      opened.close();
    }
  }

  HttpConnection connection() {
    return connection.orTimeout(10, TimeUnit.SECONDS).join();
  }

  static H2Client connect(int port) {
    return new H2Client(port, new Http2Settings());
  }

  /** Heads of answers reach it, and not a byte of their bodies. */
  static H2Client withoutWindow(int port) {
    return new H2Client(port, new Http2Settings().setInitialWindowSize(0));
  }

  /** An exchange that is in progress. */
  final class Exchange {
    final HttpClientRequest request;
    private final CompletableFuture<HttpClientResponse> head = new CompletableFuture<>();
    private final StringBuffer body = new StringBuffer();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private Exchange(HttpClientRequest request, boolean reads) {
      this.request = request;
      request
          .response()
          .onFailure(head::completeExceptionally)
          .onSuccess(
              response -> {
                response.handler(bytes -> body.append(bytes.toString(StandardCharsets.UTF_8)));
                response.endHandler(nothing -> end.complete(null));
                response.exceptionHandler(end::completeExceptionally);
                if (!reads) {
                  response.pause();
                }
                head.complete(response);
              });
    }

    HttpClientResponse response() {
      return head.orTimeout(10, TimeUnit.SECONDS).join();
    }

    int status() {
      return response().statusCode();
    }

    /** What has come so far, once it holds {@code text}. */
    String until(String text) {
      response();
      TestGateway.until("the stream says " + text, () -> body.indexOf(text) >= 0);
      return body.toString();
    }

    String body() {
      response();
      end.orTimeout(10, TimeUnit.SECONDS).join();
      return body.toString();
    }

    /** The last event id that came. */
    String cursor() {
      String text = body.toString();
      int at = text.lastIndexOf("id: ") + 4;
      return text.substring(at, text.indexOf('\n', at));
    }

    boolean failed() {
      return end.isCompletedExceptionally();
    }
  }

  Exchange send(HttpMethod method, String body, String... headers) {
    return send(true, method, body, headers);
  }

  Exchange send(boolean reads, HttpMethod method, String body, String... headers) {
    HttpClientRequest request = open(method, headers);
    Exchange exchange = new Exchange(request, reads);
    request.end(Buffer.buffer(body));
    return exchange;
  }

  HttpClientRequest open(HttpMethod method, String... headers) {
    MultiMap all = MultiMap.caseInsensitiveMultiMap();
    if (method == HttpMethod.POST) {
      all.add("Content-Type", "application/json");
    }
    all.add("Accept", method == HttpMethod.GET ? "text/event-stream" : McpSocket.BOTH);
    for (String header : headers) {
      int colon = header.indexOf(':');
      all.set(header.substring(0, colon), header.substring(colon + 1).strip());
    }
    return await(
        client.request(
            new RequestOptions()
                .setHost("127.0.0.1")
                .setPort(port)
                .setMethod(method)
                .setURI("/mcp")
                .setHeaders(all)));
  }

  Exchange reading(HttpClientRequest request) {
    return new Exchange(request, true);
  }

  /** Opens a session; its header. */
  String session() {
    return session("2025-11-25");
  }

  String session(String revision) {
    Exchange answer = send(HttpMethod.POST, McpSession.initialize(revision));
    String header = "Mcp-Session-Id: " + answer.response().getHeader("Mcp-Session-Id");
    String initialized = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
    if (send(HttpMethod.POST, initialized, header).status() != 202) {
      throw new AssertionError("not initialized");
    }
    return header;
  }

  private static <T> T await(Future<T> future) {
    try {
      return future.await(10, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("not in time", e);
    }
  }

  @Override
  public void close() {
    await(client.close());
    await(vertx.close());
  }
}
