package io.fairlead.wire;

/**
 * Cuts bytes into lines at LF (a CR before it is dropped, blank lines are skipped, a BOM at the
 * start is ignored). A line above the bound is reported once and skipped to its LF. What follows
 * the last LF is not a line.
 *
 * <p>Source: MCP 2025-11-25, transports, "stdio". LF is never a part of another UTF-8 character.
 *
 * <p>Thread: one at a time.
 */
public final class LineFramer {
  private static final byte[] BOM = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
  private static final int HEAD = 4096;
  private static final int TAIL = 256;

  /** Receives lines in order, on the thread that feeds. */
  public interface Listener {
    void line(byte[] line);

    /** A line above the bound; {@code head} is its beginning, of at most 4096 bytes. */
    void oversize(byte[] head);

    /** The LF of a line above the bound was reached; {@code tail} is its last 256 bytes at most. */
    default void oversizeEnd(byte[] tail) {}
  }

  private final int maxLine;
  private final Listener listener;
  private final Bytes line = new Bytes();
  private boolean first = true;
  private boolean skipping;

  public LineFramer(int maxLine, Listener listener) {
    this.maxLine = maxLine;
    this.listener = listener;
  }

  /** Takes the bytes of {@code [from, to)}; they are copied. */
  public void feed(byte[] bytes, int from, int to) {
    int start = from;
    for (int at = from; at < to; at++) {
      if (bytes[at] == '\n') {
        take(bytes, start, at);
        cut();
        start = at + 1;
      }
    }
    take(bytes, start, to);
  }

  private void take(byte[] bytes, int from, int to) {
    if (skipping) {
      keepTail(bytes, from, to);
      return;
    }
    // room for BOM and CR, and for one byte that shows that the line is too long
    int room = maxLine + BOM.length + 2 - line.size();
    int taken = from + Math.min(to - from, room);
    line.append(bytes, from, taken);
    if (end() - start() > maxLine) {
      skipping = true;
      listener.oversize(line.copy(start(), Math.min(end(), start() + HEAD)));
      keepTail(bytes, taken, to);
    }
  }

  private void keepTail(byte[] bytes, int from, int to) {
    line.append(bytes, Math.max(from, to - TAIL), to);
    if (line.size() > 2 * TAIL) {
      byte[] tail = line.copy(line.size() - TAIL, line.size());
      line.clear();
      line.append(tail, 0, tail.length);
    }
  }

  private void cut() {
    if (skipping) {
      listener.oversizeEnd(line.copy(Math.max(0, line.size() - TAIL), line.size()));
    } else if (!isBlank()) {
      listener.line(line.copy(start(), end()));
    }
    line.clear();
    first = false;
    skipping = false;
  }

  private boolean isBlank() {
    for (int at = start(); at < end(); at++) {
      if (line.at(at) != ' ' && line.at(at) != '\t' && line.at(at) != '\r') {
        return false;
      }
    }
    return true;
  }

  private int start() {
    return first && line.has(BOM, 0) ? BOM.length : 0;
  }

  private int end() {
    int size = line.size();
    return size > 0 && line.at(size - 1) == '\r' ? size - 1 : size;
  }
}
