package io.fairlead.wire;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Replaces chosen spans of a message and leaves every other byte as it was. Spans must not overlap;
 * they may be given in any order. An empty span inserts.
 *
 * <p>Thread: one at a time.
 */
public final class EnvelopeEdit {
  private final byte[] original;
  private final List<Replacement> replacements = new ArrayList<>(2);

  private EnvelopeEdit(byte[] original) {
    this.original = original;
  }

  /** An edit of any bytes that were read before. */
  public static EnvelopeEdit of(byte[] bytes) {
    return new EnvelopeEdit(bytes);
  }

  /** Puts {@code json} in the place of {@code span}. */
  public EnvelopeEdit replace(Span span, byte[] json) {
    replacements.add(new Replacement(span, json));
    return this;
  }

  /** The edited message; the original array if nothing was replaced. */
  public byte[] bytes() {
    if (replacements.isEmpty()) {
      return original;
    }
    replacements.sort(Comparator.comparingInt(replacement -> replacement.span.start()));
    int size = original.length;
    for (Replacement replacement : replacements) {
      size += replacement.json.length - replacement.span.length();
    }
    byte[] edited = new byte[size];
    int from = 0;
    int to = 0;
    for (Replacement replacement : replacements) {
      int kept = replacement.span.start() - from;
      if (kept < 0) {
        throw new IllegalArgumentException("spans overlap at offset=" + replacement.span.start());
      }
      System.arraycopy(original, from, edited, to, kept);
      byte[] json = replacement.json;
      System.arraycopy(json, 0, edited, to + kept, json.length);
      to += kept + json.length;
      from = replacement.span.end();
    }
    System.arraycopy(original, from, edited, to, original.length - from);
    return edited;
  }

  private record Replacement(Span span, byte[] json) {}
}
