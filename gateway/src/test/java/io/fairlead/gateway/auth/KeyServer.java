package io.fairlead.gateway.auth;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** An issuer's web server with its key set, which can fail and change. */
final class KeyServer {
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger status = new AtomicInteger(200);
  private final AtomicReference<String> body;
  private final HttpServer server;

  KeyServer(Vertx vertx, String body) throws Exception {
    this.body = new AtomicReference<>(body);
    this.server =
        vertx
            .createHttpServer()
            .requestHandler(
                request -> {
                  requests.incrementAndGet();
                  request
                      .response()
                      .setStatusCode(status.get())
                      .putHeader("Location", "http://127.0.0.1:" + request.localAddress().port())
                      .end(this.body.get());
                })
            .listen(0, "127.0.0.1")
            .await(10, TimeUnit.SECONDS);
  }

  String url() {
    return "http://127.0.0.1:" + server.actualPort() + "/keys";
  }

  int requests() {
    return requests.get();
  }

  void answer(int newStatus, String newBody) {
    status.set(newStatus);
    body.set(newBody);
  }

  /** The configuration of a gateway that trusts these keys. */
  String hocon() {
    return hocon(url());
  }

  static String hocon(String url) {
    return """
        auth {
          mode = jwt
          resource = "%s"
          jwt { issuer = "%s", jwks-url = "%s", required-scopes = ["mcp:tools"], leeway = 0s }
        }
        """
        .formatted(TokenIssuer.RESOURCE, TokenIssuer.ISSUER, url);
  }
}
