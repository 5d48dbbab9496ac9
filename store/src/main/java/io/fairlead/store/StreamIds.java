package io.fairlead.store;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

/**
 * Makes the names of streams: 96 random bits, 16 characters of base64url.
 *
 * <p>Thread: one at a time (the owner's). Owner: the gateway.
 */
public final class StreamIds {

  private static final int BYTES = 12;
  private static final int BATCH = 64;
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  private final SecureRandom random;
  // drawn in batches: one visit to the system's source serves many names
  private final byte[] batch = new byte[BYTES * BATCH];
  private int used = batch.length;

  public StreamIds(SecureRandom random) {
    this.random = random;
  }

  /** A name that nobody can guess. */
  public String next() {
    if (used == batch.length) {
      random.nextBytes(batch);
      used = 0;
    }
    byte[] bits = Arrays.copyOfRange(batch, used, used + BYTES);
    used += BYTES;
    return ENCODER.encodeToString(bits);
  }
}
