package io.fairlead.wire;

/** Frames event streams: each method gives the bytes of one complete block. */
public final class SseWriter {

  private SseWriter() {}

  /** {@code id:} if {@code id} is not empty, then {@code data:}, one line per line of the data. */
  public static byte[] event(String id, byte[] data) {
    throw new UnsupportedOperationException("stub");
  }

  /** The priming event: id, retry, and one empty data line (MCP 2025-11-25, transports). */
  public static byte[] priming(String id, long retryMillis) {
    throw new UnsupportedOperationException("stub");
  }

  /** A reconnection time alone. */
  public static byte[] retry(long millis) {
    throw new UnsupportedOperationException("stub");
  }

  /** A comment; control characters in {@code text} are dropped. */
  public static byte[] comment(String text) {
    throw new UnsupportedOperationException("stub");
  }
}
