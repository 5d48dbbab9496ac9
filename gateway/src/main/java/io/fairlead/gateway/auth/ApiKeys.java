package io.fairlead.gateway.auth;

import io.fairlead.gateway.auth.Authentication.Granted;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Knows callers by keys that the operator gave them. Only hashes are held, and every hash is
 * compared in constant time, so neither a heap dump nor a clock tells a key.
 *
 * <p>Thread: owner loop. Owner: the gateway verticle.
 */
final class ApiKeys implements Authenticator {
  private static final String ISSUER = "api-key";
  private static final Challenge CHALLENGE = Challenge.plain();

  private final MessageDigest sha256;
  private final Map<Principal, byte[]> hashes = new LinkedHashMap<>();

  /**
   * @param keys the keys by their ids
   */
  ApiKeys(Map<String, String> keys) {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException absent) {
      throw new IllegalStateException("every Java platform has SHA-256", absent);
    }
    keys.forEach((id, key) -> hashes.put(new Principal(ISSUER, id, ""), hash(key)));
  }

  @Override
  public Future<Authentication> authenticate(HttpServerRequest request) {
    Credential credential = Credential.apiKey(request.headers());
    Authentication result =
        credential
            .token()
            .map(this::judge)
            .orElseGet(() -> credential.sent() ? CHALLENGE.malformed() : CHALLENGE.missing());
    return Future.succeededFuture(result);
  }

  private Authentication judge(String key) {
    byte[] hash = hash(key);
    Optional<Principal> found = Optional.empty();
    for (Map.Entry<Principal, byte[]> entry : hashes.entrySet()) {
      // no way out of the loop at a hit: its time would tell which key it was
      if (MessageDigest.isEqual(entry.getValue(), hash)) {
        found = Optional.of(entry.getKey());
      }
    }
    return found
        .<Authentication>map(principal -> new Granted(principal, Optional.empty()))
        .orElseGet(CHALLENGE::invalid);
  }

  private byte[] hash(String key) {
    return sha256.digest(key.getBytes(StandardCharsets.UTF_8));
  }
}
