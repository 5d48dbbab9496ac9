package io.fairlead.wire;

/**
 * A JSON-RPC id with its JSON type: the number {@code 1} is not the string {@code "1"}. Two ids are
 * equal if their types and their decoded values are.
 *
 * <p>Source: JSON-RPC 2.0, section 4; MCP 2025-11-25, basic, "Requests" (never null).
 */
public final class RpcId {

  private RpcId() {}

  /** The id that is the number {@code value}. */
  public static RpcId of(long value) {
    throw new UnsupportedOperationException("stub");
  }

  /** The id that is the string {@code value}. */
  public static RpcId of(String value) {
    throw new UnsupportedOperationException("stub");
  }

  /** The id whose JSON text stands at {@code span} of {@code message}, which was read before. */
  public static RpcId copyOf(byte[] message, Span span) {
    throw new UnsupportedOperationException("stub");
  }

  /** The id as JSON text, in the bytes in which it came; not to be changed. */
  public byte[] json() {
    throw new UnsupportedOperationException("stub");
  }
}
