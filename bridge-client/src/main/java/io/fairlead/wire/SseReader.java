package io.fairlead.wire;

import java.nio.charset.StandardCharsets;

/**
 * An incremental reader of event streams, complete by the WHATWG rules (HTML, section 9.2): BOM,
 * CR, LF and CRLF in any mixture and split anywhere, comments, unknown fields, NUL in an id, retry
 * in digits only, a partial last event dropped. Linear in its input; an event is bounded.
 *
 * <p>An event whose data, id or type is above the bound is skipped to its end and reported at once.
 * It does not move {@link #lastEventId()}: it was not seen, and resuming may not pass it. Data is
 * given in the bytes in which it came; who reads it checks that it is UTF-8.
 *
 * <p>Thread: one at a time. A listener is called inside of {@link #feed} and gets everything that
 * is complete in the bytes fed.
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

  /** What the rest of the line is. */
  private enum Part {
    NAME(""),
    COMMENT(""),
    DATA("data"),
    ID("id"),
    TYPE("event"),
    RETRY("retry"),
    IGNORED("");

    private static final Part[] FIELDS = {DATA, ID, TYPE, RETRY};
    private final byte[] name;

    Part(String name) {
      this.name = name.getBytes(StandardCharsets.US_ASCII);
    }
  }

  private static final byte[] BOM = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  /** More than any name that is known, so that what is cut off makes no difference. */
  private static final int LONGEST_NAME = 16;

  /** The longest time in milliseconds; what is longer is read as this. */
  static final long ENDLESS = Long.MAX_VALUE / 100;

  private final int maxEventBytes;
  private final Listener listener;

  // the line
  private final Bytes name = new Bytes();
  private final Bytes value = new Bytes();
  private Part part = Part.NAME;
  private boolean atValue;
  private boolean afterCr;
  private boolean first = true;

  // the event
  private final Bytes data = new Bytes();
  private String type = "";
  private String id = "";
  private boolean skipping;

  private String lastEventId = "";

  public SseReader(int maxEventBytes, Listener listener) {
    this.maxEventBytes = maxEventBytes;
    this.listener = listener;
  }

  /** Reads the next bytes of the stream. */
  public void feed(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to) {
      if (afterCr && bytes[at] == '\n') {
        at++;
      }
      afterCr = false;
      int stop = at;
      while (stop < to && bytes[stop] != '\n' && bytes[stop] != '\r') {
        stop++;
      }
      take(bytes, at, stop);
      if (stop < to) {
        afterCr = bytes[stop] == '\r';
        endLine();
      }
      at = stop + 1;
    }
  }

  /** The last event id, also one that came in a block without data; empty if none. */
  public String lastEventId() {
    return lastEventId;
  }

  /** Takes a piece of a line. */
  private void take(byte[] bytes, int from, int to) {
    int at = from;
    while (part == Part.NAME && at < to) {
      if (bytes[at] == ':') {
        startValue();
      } else if (name.size() < LONGEST_NAME) {
        name.append(bytes, at, at + 1);
      }
      at++;
    }
    if (atValue && at < to) {
      atValue = false;
      at += bytes[at] == ' ' ? 1 : 0;
    }
    if (part == Part.DATA) {
      keep(data, bytes, at, to);
    } else if (part == Part.ID || part == Part.TYPE || part == Part.RETRY) {
      keep(value, bytes, at, to);
    }
  }

  private void keep(Bytes where, byte[] bytes, int from, int to) {
    if (to - from > maxEventBytes - where.size()) {
      skip();
    } else {
      where.append(bytes, from, to);
    }
  }

  private void startValue() {
    part = nameSize() == 0 ? Part.COMMENT : field();
    atValue = true;
  }

  private Part field() {
    if (!skipping) {
      int start = name.size() - nameSize();
      for (Part field : Part.FIELDS) {
        if (field.name.length == nameSize() && name.has(field.name, start)) {
          return field;
        }
      }
    }
    return Part.IGNORED;
  }

  private int nameSize() {
    return first && name.has(BOM, 0) ? name.size() - BOM.length : name.size();
  }

  private void endLine() {
    boolean blank = part == Part.NAME && nameSize() == 0;
    if (part == Part.NAME) {
      part = field();
    }
    switch (part) {
      case COMMENT -> listener.comment();
      case DATA -> endData();
      case ID -> endId();
      case TYPE -> type = text();
      case RETRY -> endRetry();
      case NAME, IGNORED -> {}
    }
    part = Part.NAME;
    atValue = false;
    first = false;
    name.clear();
    value.clear();
    if (blank) {
      dispatch();
    }
  }

  private void endData() {
    if (data.size() > maxEventBytes) {
      skip();
    } else {
      data.append('\n');
    }
  }

  private void endId() {
    String text = text();
    if (text.indexOf('\0') < 0) {
      id = text;
    }
  }

  private void endRetry() {
    long millis = 0;
    for (int i = 0; i < value.size(); i++) {
      int digit = value.at(i) - '0';
      if (digit < 0 || digit > 9) {
        return;
      }
      millis = Math.min(ENDLESS, millis * 10 + digit);
    }
    if (value.size() > 0) {
      listener.retry(millis);
    }
  }

  private String text() {
    return new String(value.copy(0, value.size()), StandardCharsets.UTF_8);
  }

  private void skip() {
    skipping = true;
    part = Part.IGNORED;
    data.clear();
    value.clear();
    listener.oversize();
  }

  private void dispatch() {
    if (skipping) {
      id = lastEventId;
    }
    lastEventId = id;
    boolean complete = !skipping && data.size() > 0;
    byte[] content = data.copy(0, complete ? data.size() - 1 : 0);
    String name = type.isEmpty() ? "message" : type;
    data.clear();
    type = "";
    skipping = false;
    if (complete) {
      listener.event(new SseEvent(lastEventId, name, content));
    }
  }
}
