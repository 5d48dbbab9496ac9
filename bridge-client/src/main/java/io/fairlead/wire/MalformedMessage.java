package io.fairlead.wire;

import java.util.Optional;

/** Bytes that are not one well-formed JSON-RPC message; an expected event, so without a stack. */
public final class MalformedMessage extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient RpcError error;
  private final transient RpcId id;

  /** {@code id} is null if none could be read or it must not be echoed. */
  MalformedMessage(RpcError error, RpcId id) {
    super(error.message(), null, false, false);
    this.error = error;
    this.id = id;
  }

  /** What to answer. */
  public RpcError error() {
    return error;
  }

  /** The id to answer with, if one was readable. */
  public Optional<RpcId> id() {
    return Optional.ofNullable(id);
  }
}
