package io.fairlead.wire;

/**
 * A half-open range of a message's bytes.
 *
 * @param start offset of the first byte
 * @param end offset after the last byte
 */
public record Span(int start, int end) {

  /** The number of bytes in the range. */
  public int length() {
    return end - start;
  }
}
