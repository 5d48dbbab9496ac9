package io.fairlead.wire;

import java.nio.charset.StandardCharsets;

/**
 * Frames event streams: each method gives the bytes of one complete block.
 *
 * <p>Source: HTML (WHATWG), section 9.2.
 *
 * <p>Thread: any; without state.
 */
public final class SseWriter {
  private static final byte[] ID = ascii("id: ");
  private static final byte[] EVENT = ascii("event: message\n");
  private static final byte[] DATA = ascii("data: ");
  private static final byte[] END = ascii("\n\n");

  private SseWriter() {}

  /**
   * {@code id:} if {@code id} is not empty, then {@code data:}, one line per line of the data. The
   * type is said although it is the default: clients exist that drop an event without one.
   */
  public static byte[] event(String id, byte[] data) {
    int frame = ID.length + id.length() + 1 + EVENT.length + DATA.length + END.length;
    Bytes block = new Bytes(frame + data.length);
    id(block, id);
    block.append(EVENT, 0, EVENT.length);
    int start = 0;
    for (int at = 0; at < data.length; at++) {
      if (data[at] != '\n' && data[at] != '\r') {
        continue;
      }
      line(block, data, start, at);
      boolean pair = data[at] == '\r' && at + 1 < data.length && data[at + 1] == '\n';
      at += pair ? 1 : 0;
      block.append('\n');
      start = at + 1;
    }
    line(block, data, start, data.length);
    block.append(END, 0, END.length);
    return block.take();
  }

  /** The priming event: id and one empty data line (MCP 2025-11-25, transports). */
  public static byte[] priming(String id) {
    return primed(id, "data:\n\n");
  }

  /** The priming event with a reconnection time. */
  public static byte[] priming(String id, long retryMillis) {
    return primed(id, "retry: " + retryMillis + "\ndata:\n\n");
  }

  private static byte[] primed(String id, String rest) {
    Bytes block = new Bytes();
    id(block, id);
    block.append(ascii(rest), 0, rest.length());
    return block.take();
  }

  /** A reconnection time alone. */
  public static byte[] retry(long millis) {
    return ascii("retry: " + millis + "\n\n");
  }

  /** A comment; control characters in {@code text} are dropped. */
  public static byte[] comment(String text) {
    String printable =
        text.codePoints()
            .filter(c -> !Character.isISOControl(c))
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
    return (": " + printable + "\n\n").getBytes(StandardCharsets.UTF_8);
  }

  private static void line(Bytes block, byte[] data, int from, int to) {
    block.append(DATA, 0, DATA.length);
    block.append(data, from, to);
  }

  private static void id(Bytes block, String id) {
    if (id.isEmpty()) {
      return;
    }
    block.append(ID, 0, ID.length);
    for (int at = 0; at < id.length(); at++) {
      char c = id.charAt(at);
      if (c <= ' ' || c >= 0x7f) {
        throw new IllegalArgumentException("an event id is visible ASCII, length=" + id.length());
      }
      block.append(c);
    }
    block.append('\n');
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
