package io.fairlead.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Splices. */
class EnvelopeEditTest {
  private static final byte[] BYTES = "0123456789".getBytes(UTF_8);

  private static byte[] text(String text) {
    return text.getBytes(UTF_8);
  }

  private static String edited(EnvelopeEdit edit) {
    return new String(edit.bytes(), UTF_8);
  }

  @Test
  void nothingReplacedGivesTheOriginal() {
    assertSame(BYTES, EnvelopeEdit.of(BYTES).bytes());
  }

  @Test
  void spansAreReplacedInAnyOrder() {
    EnvelopeEdit edit =
        EnvelopeEdit.of(BYTES)
            .replace(new Span(7, 9), text("long text"))
            .replace(new Span(0, 1), text(""))
            .replace(new Span(3, 4), text("c"));
    assertEquals("12c456long text9", edited(edit));
    assertEquals("0123456789", new String(BYTES, UTF_8));
  }

  @Test
  void neighboursAndEndsAreReplaced() {
    EnvelopeEdit edit =
        EnvelopeEdit.of(BYTES)
            .replace(new Span(5, 10), text("b"))
            .replace(new Span(0, 5), text("a"));
    assertEquals("ab", edited(edit));
  }

  @Test
  void emptySpanInserts() {
    EnvelopeEdit edit = EnvelopeEdit.of(BYTES).replace(new Span(1, 1), text("x"));
    assertEquals("0x123456789", edited(edit));
  }

  @Test
  void overlapIsRefused() {
    EnvelopeEdit edit =
        EnvelopeEdit.of(BYTES)
            .replace(new Span(0, 5), text("abcdef"))
            .replace(new Span(4, 6), text("ghijkl"));
    assertThrows(IllegalArgumentException.class, edit::bytes);
  }
}
