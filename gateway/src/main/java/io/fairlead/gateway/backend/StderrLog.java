package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.wire.LineFramer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what a child says on its standard error to the log, at DEBUG: long lines cut, control
 * characters escaped, and a bounded number of lines per second.
 *
 * <p>Thread: the child's stderr thread alone.
 */
final class StderrLog implements LineFramer.Listener {
  static final int MAX_LINE = 4096;
  static final int MAX_LINES_PER_SECOND = 100;

  private static final Logger LOG = LoggerFactory.getLogger(StderrLog.class);
  private static final long SECOND = 1_000_000_000L;

  private final String child;
  private final LineFramer framer = new LineFramer(MAX_LINE, this);
  private long windowStart = System.nanoTime();
  private int lines;
  private long suppressed;

  StderrLog(String child) {
    this.child = child;
  }

  void feed(byte[] bytes, int length) {
    framer.feed(bytes, 0, length);
  }

  @Override
  public void line(byte[] line) {
    if (LOG.isDebugEnabled() && admit(System.nanoTime())) {
      LOG.debug("{} stderr: {}", child, escape(line));
    }
  }

  @Override
  public void oversize(byte[] head) {
    if (LOG.isDebugEnabled() && admit(System.nanoTime())) {
      LOG.debug("{} stderr: {}... (cut, limit={} bytes)", child, escape(head), MAX_LINE);
    }
  }

  private boolean admit(long now) {
    if (now - windowStart >= SECOND) {
      if (suppressed > 0) {
        LOG.debug("{} stderr: {} lines left out", child, suppressed);
      }
      windowStart = now;
      lines = 0;
      suppressed = 0;
    }
    if (lines >= MAX_LINES_PER_SECOND) {
      suppressed++;
      return false;
    }
    lines++;
    return true;
  }

  /** The text with everything escaped that could move a terminal or forge a line of the log. */
  static String escape(byte[] line) {
    String text = new String(line, UTF_8);
    StringBuilder safe = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
        safe.append(String.format("\\u%04x", (int) c));
      } else {
        safe.append(c);
      }
    }
    return safe.toString();
  }
}
