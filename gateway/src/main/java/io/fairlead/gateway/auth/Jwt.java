package io.fairlead.gateway.auth;

import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.ExpiredJWTException;
import io.fairlead.gateway.auth.Authentication.Granted;
import io.fairlead.gateway.config.GatewayConfig;
import io.fairlead.gateway.config.JwtConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.text.ParseException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Knows callers by access tokens of an authorization server (MCP 2025-11-25, authorization; RFC
 * 9068). Every request's token is checked anew.
 *
 * <p>Thread: owner loop. Owner: the gateway verticle.
 */
final class Jwt implements Authenticator {
  /** A longer token is not even read. */
  private static final int MAX_CHARACTERS = 8 * 1024;

  private final JwtConfig config;
  private final ResourceMetadata metadata;
  private final JwtKeys keys;

  private Jwt(JwtConfig config, ResourceMetadata metadata, JwtKeys keys) {
    this.config = config;
    this.metadata = metadata;
    this.keys = keys;
  }

  /**
   * Reads the issuer's keys.
   *
   * @return completes on the calling context; fails with {@link AuthUnavailable}
   */
  static Future<Authenticator> open(Vertx vertx, GatewayConfig config) {
    JwtConfig jwt = config.auth().jwt();
    return JwtKeys.open(vertx, KeySource.of(vertx, jwt), keys -> new TokenCheck(jwt, keys))
        .map(keys -> new Jwt(jwt, new ResourceMetadata(config), keys));
  }

  @Override
  public Future<Authentication> authenticate(HttpServerRequest request) {
    Challenge challenge = Challenge.of(metadata.url(request.path()), config.requiredScopes());
    Credential credential = Credential.bearer(request.headers());
    if (credential.token().isEmpty()) {
      return Future.succeededFuture(
          credential.sent() ? challenge.malformed() : challenge.missing());
    }
    Optional<SignedJWT> token = parse(credential.token().get());
    if (token.isEmpty()) {
      return Future.succeededFuture(challenge.invalid());
    }
    SignedJWT signed = token.get();
    List<String> audience = audience(request.path());
    return keys.forKey(Optional.ofNullable(signed.getHeader().getKeyID()))
        .map(check -> judge(check, signed, audience, challenge));
  }

  @Override
  public Optional<Buffer> metadata(String path, Predicate<String> backends) {
    return metadata.document(path, backends);
  }

  @Override
  public Future<Void> close() {
    keys.close();
    return Future.succeededFuture();
  }

  private static Optional<SignedJWT> parse(String token) {
    if (token.length() > MAX_CHARACTERS) {
      return Optional.empty();
    }
    try {
      return Optional.of(SignedJWT.parse(token));
    } catch (ParseException | RuntimeException notSigned) {
      return Optional.empty();
    }
  }

  private Authentication judge(
      TokenCheck check, SignedJWT token, List<String> audience, Challenge challenge) {
    TokenClaims claims;
    try {
      claims = check.check(token);
    } catch (ExpiredJWTException expired) {
      return challenge.expired();
    } catch (BadJOSEException | RuntimeException invalid) {
      return challenge.invalid();
    }
    if (!claims.isFor(audience) || !claims.namesSubject()) {
      return challenge.invalid();
    }
    return claims.scopes().containsAll(config.requiredScopes())
        ? new Granted(claims.principal(), Optional.of(claims.validFor(config.leeway())))
        : challenge.insufficientScope();
  }

  /** Unless others are configured, a token is for what its client knows this endpoint as. */
  private List<String> audience(String path) {
    return config.audience().isEmpty() ? metadata.resources(path) : config.audience();
  }
}
