package io.fairlead.client;

import io.vertx.core.Future;
import java.util.Map;

/**
 * The headers that prove to a server who we are. They are asked for anew for each request, so that
 * a token may change under way; a call that was refused with 401 is sent once more only if they did
 * change.
 *
 * <p>Thread: owner loop; the future completes there.
 */
@FunctionalInterface
public interface Credentials {
  /** Header names and values; the values are secrets and never logged. */
  Future<Map<String, String>> headers();

  /** Headers that never change. */
  static Credentials fixed(Map<String, String> headers) {
    Map<String, String> copy = Map.copyOf(headers);
    return () -> Future.succeededFuture(copy);
  }
}
