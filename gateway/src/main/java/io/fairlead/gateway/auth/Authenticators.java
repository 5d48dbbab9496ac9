package io.fairlead.gateway.auth;

import io.fairlead.gateway.config.GatewayConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;

/**
 * Makes the authenticator that is configured.
 *
 * <p>Thread: owner loop.
 */
public final class Authenticators {

  private Authenticators() {}

  /** Everybody is anonymous. */
  public static Authenticator none() {
    Future<Authentication> anonymous =
        Future.succeededFuture(new Authentication.Granted(Principal.ANONYMOUS, Optional.empty()));
    return request -> anonymous;
  }

  /**
   * The one for {@code config}, ready to judge.
   *
   * @return completes on the calling context; fails if there is no key to check tokens with, for
   *     then the gateway must not start
   */
  public static Future<Authenticator> open(Vertx vertx, GatewayConfig config) {
    return switch (config.auth().mode()) {
      case NONE -> Future.succeededFuture(none());
      case API_KEY -> Future.succeededFuture(new ApiKeys(config.auth().apiKeys()));
      case JWT -> Jwt.open(vertx, config);
    };
  }
}
