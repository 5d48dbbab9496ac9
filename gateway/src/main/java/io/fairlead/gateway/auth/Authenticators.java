package io.fairlead.gateway.auth;

import io.fairlead.gateway.config.GatewayConfig;
import io.fairlead.gateway.config.ListenConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the authenticator that is configured.
 *
 * <p>Thread: owner loop.
 */
public final class Authenticators {
  private static final Logger LOG = LoggerFactory.getLogger(Authenticators.class);

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
      case NONE -> Future.succeededFuture(anonymous(config.listen()));
      case API_KEY -> Future.succeededFuture(new ApiKeys(config.auth().apiKeys()));
      case JWT -> Jwt.open(vertx, config);
    };
  }

  private static Authenticator anonymous(ListenConfig listen) {
    if (!listen.isLoopback()) {
      LOG.warn(
          "auth.mode=none at listen.host={}: everybody who reaches it may call every tool;"
              + " auth.allow-anonymous says so",
          listen.host());
    }
    return none();
  }
}
