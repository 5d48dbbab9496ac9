package io.fairlead.gateway.auth;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.RequestOptions;
import java.util.concurrent.TimeUnit;

/**
 * Fetches a key set by HTTP: bounded in size and time, and without following a redirect, which
 * could lead to keys of somebody else.
 *
 * <p>Thread: owner loop. Owner: {@link JwtKeys}.
 */
final class KeyFetch implements KeySource {
  private static final int CONNECT_MILLIS = 5_000;
  private static final int TOTAL_SECONDS = 10;

  private final HttpClient client;
  private final RequestOptions options;

  KeyFetch(Vertx vertx, String url) {
    client =
        vertx.createHttpClient(
            new HttpClientOptions().setConnectTimeout(CONNECT_MILLIS).setKeepAlive(false));
    options = new RequestOptions().setAbsoluteURI(url).setFollowRedirects(false);
    options.putHeader("Accept", "application/jwk-set+json, application/json");
  }

  @Override
  public Future<Buffer> read() {
    return client.request(options).compose(KeyFetch::send);
  }

  @Override
  public void close() {
    client.close();
  }

  private static Future<Buffer> send(HttpClientRequest request) {
    return request
        .send()
        .compose(KeyFetch::body)
        .timeout(TOTAL_SECONDS, TimeUnit.SECONDS)
        .onFailure(failed -> request.reset());
  }

  private static Future<Buffer> body(HttpClientResponse response) {
    Promise<Buffer> promise = Promise.promise();
    Buffer body = Buffer.buffer();
    response.exceptionHandler(promise::tryFail);
    response.endHandler(end -> promise.tryComplete(body));
    response.handler(
        chunk -> {
          if (body.length() + chunk.length() <= MAX_BYTES) {
            body.appendBuffer(chunk);
          } else {
            promise.tryFail("the key set is larger than " + MAX_BYTES + " bytes");
          }
        });
    if (response.statusCode() != 200) {
      promise.tryFail("the answer was not a key set, status=" + response.statusCode());
    }
    return promise.future();
  }
}
