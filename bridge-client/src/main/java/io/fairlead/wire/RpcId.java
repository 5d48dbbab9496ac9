package io.fairlead.wire;

import java.nio.charset.StandardCharsets;

/**
 * A JSON-RPC id with its JSON type: the number {@code 1} is not the string {@code "1"}. Two ids are
 * equal if their types and their decoded values are.
 *
 * <p>Source: JSON-RPC 2.0, section 4; MCP 2025-11-25, basic, "Requests" (never null).
 *
 * <p>Thread: any; immutable.
 */
public final class RpcId {
  private final byte[] json;
  private final boolean number;

  /** The decoded string, or the integer's digits: JSON allows no other spelling but {@code -0}. */
  private final String value;

  private RpcId(byte[] json, boolean number, String value) {
    this.json = json;
    this.number = number;
    this.value = value;
  }

  /** The id that is the number {@code value}. */
  public static RpcId of(long value) {
    String digits = Long.toString(value);
    return new RpcId(digits.getBytes(StandardCharsets.US_ASCII), true, digits);
  }

  /** The id that is the string {@code value}. */
  public static RpcId of(String value) {
    return new RpcId(Json.quote(value), false, value);
  }

  /** The id whose JSON text stands at {@code span} of {@code message}, which was read before. */
  public static RpcId copyOf(byte[] message, Span span) {
    byte[] json = Json.copy(message, span);
    if (json[0] == '"') {
      return new RpcId(json, false, JsonString.text(json, 1, json.length - 1));
    }
    String digits = new String(json, StandardCharsets.US_ASCII);
    return new RpcId(json, true, digits.equals("-0") ? "0" : digits);
  }

  /** The id as JSON text, in the bytes in which it came; not to be changed. */
  public byte[] json() {
    return json;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RpcId that && number == that.number && value.equals(that.value);
  }

  @Override
  public int hashCode() {
    return 31 * value.hashCode() + (number ? 1 : 0);
  }

  /** The id as JSON text. */
  @Override
  public String toString() {
    return new String(json, StandardCharsets.UTF_8);
  }
}
