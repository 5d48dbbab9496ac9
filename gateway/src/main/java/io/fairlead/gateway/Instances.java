package io.fairlead.gateway;

import java.security.SecureRandom;
import java.util.Base64;

/**
 * Names for runs of the gateway.
 *
 * <p>Thread: any.
 */
final class Instances {
  private static final int BYTES = 12;

  private Instances() {}

  /** A random id for one run. */
  static String newId() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
