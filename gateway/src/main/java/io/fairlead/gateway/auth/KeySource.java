package io.fairlead.gateway.auth;

import io.fairlead.gateway.config.JwtConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;

/**
 * Where an issuer's key set comes from: the configured place and no other, whatever a token says.
 *
 * <p>Thread: owner loop.
 */
interface KeySource {
  int MAX_BYTES = 1024 * 1024;

  /** Reads the key set anew; completes on the calling context, in bounded time. */
  Future<Buffer> read();

  /** Idempotent. */
  default void close() {}

  static KeySource of(Vertx vertx, JwtConfig config) {
    return config
        .jwksUrl()
        .<KeySource>map(url -> new KeyFetch(vertx, url))
        .orElseGet(() -> () -> vertx.fileSystem().readFile(config.jwksFile().orElseThrow()));
  }
}
