package io.fairlead.gateway.http;

import io.fairlead.wire.RpcError;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the front answers when it does not do what was asked: the one failure type of this package.
 * Only {@link Refusals} and {@link SessionRefusals} make them, so that each has one status, one
 * reason and one text.
 *
 * <p>Thread: any; immutable.
 *
 * @param status the HTTP status
 * @param error the JSON-RPC error of the body
 * @param headers response headers that belong to the refusal
 */
public record Refusal(int status, RpcError error, Map<String, String> headers) {
  static final String CONNECTION = "Connection";
  static final String CLOSE = "close";

  public Refusal {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  static Refusal refusal(int status, int code, String reason, String text) {
    return new Refusal(status, new RpcError(code, text, Map.of("reason", reason)), Map.of());
  }

  /** The contract's {@code data.reason}, for metrics and logs. */
  public String reason() {
    return error.data().getOrDefault("reason", "other").toString();
  }

  /** What it is counted as: the limit that was reached, or the reason. */
  String counted() {
    return error.data().getOrDefault("limit", reason()).toString();
  }

  /** Whether the connection must not be used again: what follows on it cannot be trusted. */
  public boolean closes() {
    return CLOSE.equals(headers.get(CONNECTION));
  }

  /** This refusal with one more member of the error's {@code data}. */
  Refusal with(String name, Object value) {
    Map<String, Object> data = new LinkedHashMap<>(error.data());
    data.put(name, value);
    return new Refusal(status, new RpcError(error.code(), error.message(), data), headers);
  }

  /** This refusal with one more response header. */
  Refusal header(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Refusal(status, error, more);
  }

  /** This refusal on a connection that is closed after it. */
  Refusal closing() {
    return header(CONNECTION, CLOSE);
  }
}
