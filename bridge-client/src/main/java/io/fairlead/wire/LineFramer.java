package io.fairlead.wire;

/**
 * Cuts bytes into lines at LF (a CR before it is dropped, blank lines are skipped, a BOM at the
 * start is ignored). A line above the bound is reported once and skipped to its LF.
 *
 * <p>Thread: one at a time.
 */
public final class LineFramer {

  /** Receives lines in order, on the thread that feeds. */
  public interface Listener {
    void line(byte[] line);

    /** A line above the bound; {@code head} is its beginning. */
    void oversize(byte[] head);
  }

  public LineFramer(int maxLine, Listener listener) {}

  public void feed(byte[] bytes, int from, int to) {
    throw new UnsupportedOperationException("stub");
  }
}
