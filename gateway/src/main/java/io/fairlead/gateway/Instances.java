package io.fairlead.gateway;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

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

  /** The version of this build, {@code dev} outside of a jar. */
  static String version() {
    return Optional.ofNullable(Instances.class.getPackage().getImplementationVersion())
        .orElse("dev");
  }
}
