package io.fairlead.gateway.auth;

import io.fairlead.gateway.config.ConfigLoader;
import io.fairlead.gateway.config.GatewayConfig;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A server that answers each request with who asks, or with the refusal. */
final class AuthFront extends VerticleBase {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** What came back: the principal's text, or the challenge. */
  record Answer(int status, String body, String challenge) {}

  private final GatewayConfig config;
  private Authenticator authenticator;
  private HttpServer server;

  private AuthFront(GatewayConfig config) {
    this.config = config;
  }

  static AuthFront start(Vertx vertx, String hocon) throws Exception {
    AuthFront front = new AuthFront(ConfigLoader.parse(hocon).orElseThrow());
    vertx.deployVerticle(front).await(10, TimeUnit.SECONDS);
    return front;
  }

  @Override
  public Future<?> start() {
    return Authenticators.open(vertx, config)
        .compose(
            opened -> {
              authenticator = opened;
              server =
                  vertx
                      .createHttpServer(new HttpServerOptions().setMaxHeaderSize(32 * 1024))
                      .requestHandler(this::serve);
              return server.listen(0, "127.0.0.1");
            });
  }

  @Override
  public Future<?> stop() {
    return authenticator.close();
  }

  int port() {
    return server.actualPort();
  }

  /** Asks with headers given as name, value, name, value. */
  Answer ask(String path, String... headers) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    HttpResponse<String> response =
        CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    return new Answer(
        response.statusCode(),
        response.body(),
        response.headers().firstValue("WWW-Authenticate").orElse(""));
  }

  Answer askWith(String token) throws IOException, InterruptedException {
    return ask("/mcp", "Authorization", "Bearer " + token);
  }

  private void serve(HttpServerRequest request) {
    request.pause();
    Optional<Buffer> metadata = authenticator.metadata(request.path(), name -> true);
    if (metadata.isPresent()) {
      request.response().end(metadata.get());
    } else {
      authenticator.authenticate(request).onSuccess(result -> answer(request, result));
    }
  }

  private static void answer(HttpServerRequest request, Authentication result) {
    result.fold(
        granted -> request.response().end(granted.principal().toString()),
        denied ->
            request
                .response()
                .setStatusCode(denied.insufficientScope() ? 403 : 401)
                .putHeader("WWW-Authenticate", denied.challenge())
                .end());
  }
}
