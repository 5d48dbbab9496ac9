package io.fairlead.gateway.auth;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.jwk.KeyUse;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the usable keys out of a key set (RFC 7517): public ones for signatures, of sufficient
 * size. Keys of other kinds are passed over (section 5), but a set without any usable one is none.
 *
 * <p>Thread: any; stateless.
 */
final class KeySet {
  private static final int MIN_RSA_BITS = 2048;

  private KeySet() {}

  /**
   * @throws IllegalArgumentException if there is no usable key
   */
  static JWKSet read(Buffer json) {
    List<JWK> keys = new ArrayList<>();
    for (Object key : keys(json)) {
      usable(key).ifPresent(keys::add);
    }
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("the key set has no public RSA or EC key for signatures");
    }
    return new JWKSet(keys);
  }

  private static JsonArray keys(Buffer json) {
    try {
      return new JsonObject(json).getJsonArray("keys", new JsonArray());
    } catch (RuntimeException malformed) {
      throw new IllegalArgumentException("the key set is not a JSON object with a list of keys");
    }
  }

  private static Optional<JWK> usable(Object json) {
    try {
      // a symmetric key has no public form
      return Optional.ofNullable(JWK.parse(json.toString()).toPublicJWK())
          .filter(key -> key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE))
          .filter(KeySet::isStrong);
    } catch (ParseException | RuntimeException unusable) {
      return Optional.empty();
    }
  }

  private static boolean isStrong(JWK key) {
    return key.getKeyType().equals(KeyType.EC)
        || key.getKeyType().equals(KeyType.RSA) && key.size() >= MIN_RSA_BITS;
  }
}
