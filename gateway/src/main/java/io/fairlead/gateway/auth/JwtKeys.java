package io.fairlead.gateway.auth;

import com.nimbusds.jose.jwk.JWKSet;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the issuer's keys and keeps them fresh: read again from time to time, and when a token
 * names a key that is not there, but for that at most once a minute, whoever sends such tokens. If
 * reading fails, the last good keys stay.
 *
 * <p>Thread: owner loop. Owner: {@link Jwt}.
 */
final class JwtKeys {
  private static final Logger LOG = LoggerFactory.getLogger(JwtKeys.class);
  private static final Duration REFRESH = Duration.ofMinutes(5);
  private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

  private final Vertx vertx;
  private final KeySource source;
  private final Function<JWKSet, TokenCheck> checks;
  private final long timer;
  private TokenCheck current;
  private Optional<Future<Void>> reading = Optional.empty();
  private Optional<Long> askedAt = Optional.empty();

  private JwtKeys(
      Vertx vertx, KeySource source, Function<JWKSet, TokenCheck> checks, TokenCheck first) {
    this.vertx = vertx;
    this.source = source;
    this.checks = checks;
    this.current = first;
    this.timer = vertx.setPeriodic(REFRESH.toMillis(), fired -> refresh());
  }

  /**
   * Reads the keys for the first time.
   *
   * @return completes on the calling context; fails with {@link AuthUnavailable}
   */
  static Future<JwtKeys> open(Vertx vertx, KeySource source, Function<JWKSet, TokenCheck> checks) {
    return source
        .read()
        .map(KeySet::read)
        .map(keys -> new JwtKeys(vertx, source, checks, checks.apply(keys)))
        .recover(
            failure -> {
              source.close();
              return Future.failedFuture(
                  new AuthUnavailable(
                      "There are no keys to check tokens with ("
                          + failure.getMessage()
                          + "); check auth.jwt.jwks-url or auth.jwt.jwks-file."));
            });
  }

  /**
   * What to check a token with.
   *
   * @param keyId how the token names its key, if it does
   * @return completes on the owner loop; never fails
   */
  Future<TokenCheck> forKey(Optional<String> keyId) {
    if (keyId.isEmpty() || current.knows(keyId.get())) {
      return Future.succeededFuture(current);
    }
    if (reading.isEmpty()) {
      long now = System.nanoTime();
      if (askedAt.isPresent() && now - askedAt.get() < PAUSE_NANOS) {
        return Future.succeededFuture(current);
      }
      askedAt = Optional.of(now);
    }
    return refresh().map(read -> current);
  }

  /** Idempotent. */
  void close() {
    vertx.cancelTimer(timer);
    source.close();
  }

  /** One reading at a time; completes, never fails, when it is over. */
  private Future<Void> refresh() {
    if (reading.isPresent()) {
      return reading.get();
    }
    Future<Void> read =
        source
            .read()
            .map(KeySet::read)
            .<Void>map(
                keys -> {
                  current = checks.apply(keys);
                  return null;
                })
            .otherwise(JwtKeys::keep)
            .andThen(done -> reading = Optional.empty());
    if (!read.isComplete()) {
      reading = Optional.of(read);
    }
    return read;
  }

  private static Void keep(Throwable failure) {
    LOG.warn("the last good keys for tokens stay in use: {}", failure.getMessage());
    return null;
  }
}
