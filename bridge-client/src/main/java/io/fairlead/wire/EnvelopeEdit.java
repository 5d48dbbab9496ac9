package io.fairlead.wire;

/**
 * Replaces chosen spans of a message and leaves every other byte as it was. Spans must not overlap;
 * they may be given in any order.
 */
public final class EnvelopeEdit {

  private EnvelopeEdit() {}

  /** An edit of any bytes that were read before. */
  public static EnvelopeEdit of(byte[] bytes) {
    throw new UnsupportedOperationException("stub");
  }

  /** Puts {@code json} in the place of {@code span}. */
  public EnvelopeEdit replace(Span span, byte[] json) {
    throw new UnsupportedOperationException("stub");
  }

  /** The edited message; the original array if nothing was replaced. */
  public byte[] bytes() {
    throw new UnsupportedOperationException("stub");
  }
}
