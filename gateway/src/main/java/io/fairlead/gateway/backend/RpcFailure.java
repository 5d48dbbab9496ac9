package io.fairlead.gateway.backend;

import io.fairlead.wire.RpcError;

/** A request that is answered with a JSON-RPC error; an expected event, so without a stack. */
final class RpcFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient RpcError error;

  RpcFailure(RpcError error) {
    super(error.message(), null, false, false);
    this.error = error;
  }

  static RpcFailure invalidParams(String message) {
    return new RpcFailure(RpcError.of(RpcError.INVALID_PARAMS, "invalid_params", message));
  }

  RpcError error() {
    return error;
  }
}
