package io.fairlead.wire;

import java.util.List;
import java.util.Optional;

/** Finds values in JSON bytes that {@link EnvelopeReader} accepted before; it does not validate. */
public final class Json {

  private Json() {}

  /**
   * The span of the value of {@code key} in the object at {@code object}; empty if not an object.
   */
  public static Optional<Span> member(byte[] bytes, Span object, String key) {
    throw new UnsupportedOperationException("stub");
  }

  /** The spans of the elements of the array at {@code array}; empty if not an array. */
  public static List<Span> elements(byte[] bytes, Span array) {
    throw new UnsupportedOperationException("stub");
  }

  /** The decoded string at {@code string}, which has its quotes; empty if not a string. */
  public static Optional<String> string(byte[] bytes, Span string) {
    throw new UnsupportedOperationException("stub");
  }

  /** The bytes of {@code span}. */
  public static byte[] copy(byte[] bytes, Span span) {
    return java.util.Arrays.copyOfRange(bytes, span.start(), span.end());
  }

  /** {@code text} as a JSON string with quotes, in UTF-8. */
  public static byte[] quote(String text) {
    throw new UnsupportedOperationException("stub");
  }
}
