package io.fairlead.gateway.auth;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * What is known of who asks.
 *
 * <p>Thread: any; immutable.
 */
public sealed interface Authentication {

  /** One function per case. */
  <T> T fold(Function<Granted, T> granted, Function<Denied, T> denied);

  /**
   * Who asks is known, and may.
   *
   * @param validFor how long the credentials still are; empty: until they are revoked
   */
  record Granted(Principal principal, Optional<Duration> validFor) implements Authentication {
    @Override
    public <T> T fold(Function<Granted, T> granted, Function<Denied, T> denied) {
      return granted.apply(this);
    }
  }

  /**
   * Who asks is not known (401), or is known and may not (403).
   *
   * @param wrong whether credentials were sent that nobody has, or ever had
   * @param insufficientScope whether the credentials are valid but do not reach far enough
   * @param challenge the WWW-Authenticate header of the response
   */
  record Denied(boolean wrong, boolean insufficientScope, String challenge)
      implements Authentication {
    @Override
    public <T> T fold(Function<Granted, T> granted, Function<Denied, T> denied) {
      return denied.apply(this);
    }
  }
}
