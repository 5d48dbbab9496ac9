package io.fairlead.wire;

/**
 * An incremental reader of event streams, complete by the WHATWG rules (HTML, section 9.2): BOM,
 * CR, LF and CRLF in any mixture and split anywhere, comments, unknown fields, NUL in an id, retry
 * in digits only, a partial last event dropped. Linear in its input; an event is bounded.
 *
 * <p>Thread: one at a time.
 */
public final class SseReader {

  /** Receives what was read, in order, on the thread that feeds. */
  public interface Listener {
    void event(SseEvent event);

    /** A reconnection time, in milliseconds, as sent. */
    void retry(long millis);

    /** A comment line. */
    default void comment() {}

    /** An event above the bound was skipped. */
    void oversize();
  }

  public SseReader(int maxEventBytes, Listener listener) {}

  /** Reads the next bytes of the stream. */
  public void feed(byte[] bytes, int from, int to) {
    throw new UnsupportedOperationException("stub");
  }

  /** The last event id, also one that came in a block without data; empty if none. */
  public String lastEventId() {
    throw new UnsupportedOperationException("stub");
  }
}
