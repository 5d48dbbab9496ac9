package io.fairlead.wire;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A JSON-RPC error: code, text and {@code data}, of which {@code reason} is part of the contract.
 *
 * @param code a JSON-RPC or MCP error code
 * @param message what happened, the value, and the remedy; never a secret
 * @param data members of the error's {@code data}, in order: strings, longs, booleans or maps of
 *     these; empty for none
 */
public record RpcError(int code, String message, Map<String, Object> data) {
  public static final int PARSE = -32700;
  public static final int INVALID_REQUEST = -32600;
  public static final int METHOD_NOT_FOUND = -32601;
  public static final int INVALID_PARAMS = -32602;
  public static final int INTERNAL = -32603;
  public static final int SERVER = -32000;
  public static final int SESSION_UNKNOWN = -32001;
  public static final int RESOURCE_NOT_FOUND = -32002;
  public static final int CANCELLED = -32800;

  /** The members are copied, in their order. */
  public RpcError {
    data = Collections.unmodifiableMap(new LinkedHashMap<>(data));
  }

  /** An error with a {@code data.reason}. */
  public static RpcError of(int code, String reason, String message) {
    return new RpcError(code, message, Map.of("reason", reason));
  }

  /** This error with one more member of {@code data}. */
  public RpcError with(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(data);
    more.put(name, value);
    return new RpcError(code, message, more);
  }

  /** The whole JSON-RPC response; {@code id} absent gives {@code "id":null}. */
  public byte[] toMessage(Optional<RpcId> id) {
    Map<String, Object> error = new LinkedHashMap<>();
    error.put("code", code);
    error.put("message", message);
    if (!data.isEmpty()) {
      error.put("data", data);
    }
    return Json.response(id, "error", error);
  }
}
