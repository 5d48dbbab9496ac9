package io.fairlead.gateway.observe;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Stands in for a secret in logs: the same secret gives the same short text during one run, and
 * nobody can find the secret from it (HMAC-SHA256 under a random key of the run).
 *
 * <p>Thread: owner loop; it holds scratch space.
 */
public final class KeyedHash {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
  private static final int LENGTH = 10;

  private final Mac mac;

  public KeyedHash() {
    byte[] key = new byte[32];
    new SecureRandom().nextBytes(key);
    try {
      mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
    } catch (GeneralSecurityException absent) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, absent);
    }
  }

  /** Ten characters of base32. */
  public String of(String secret) {
    byte[] hash = mac.doFinal(secret.getBytes(StandardCharsets.UTF_8));
    long bits = 0;
    for (int i = 0; i < 7; i++) {
      bits = bits << 8 | hash[i] & 0xff;
    }
    StringBuilder text = new StringBuilder(LENGTH);
    for (int i = 0; i < LENGTH; i++) {
      text.append(ALPHABET.charAt((int) (bits >>> 5 * i) & 31));
    }
    return text.toString();
  }
}
