package io.fairlead.gateway.route;

import io.fairlead.wire.RpcError;
import io.fairlead.wire.RpcId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Messages that the gateway itself writes, to clients or to backends. */
public final class Answers {

  /** An empty result. */
  public static final byte[] EMPTY = utf8("{}");

  private Answers() {}

  /** The error response to {@code id}. */
  public static byte[] error(RpcId id, RpcError error) {
    return error.toMessage(Optional.of(id));
  }

  /** A notification without params. */
  public static byte[] notification(String method) {
    return utf8("{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\"}");
  }

  /** A request with the JSON object {@code params}; the link gives it an id of its own. */
  public static byte[] request(String method, String params) {
    return utf8(
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"" + method + "\",\"params\":" + params + "}");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
