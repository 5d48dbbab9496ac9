package io.fairlead.store;

import java.util.Optional;

/**
 * The id of an event: {@code <stream>-<sequence>}, at most 64 visible ASCII characters.
 *
 * <pre>
 *   mJ0x-Qb7_uW2kT9c - 17
 *   |                | |
 *   |                | sequence: canonical decimal; 0 is the stream's start, events count from 1
 *   |                the last '-' of the id
 *   stream: 1 to 43 characters of base64url (which holds base32); may contain '-' itself
 * </pre>
 *
 * <p>An id means something only inside the session that owns the stream. It contains no clock.
 *
 * <p>Thread: any (a value).
 *
 * @param stream the stream's name
 * @param sequence from 0 (the stream's start) on
 */
public record EventId(String stream, long sequence) {

  private static final int MAX_LENGTH = 64;
  private static final int MAX_STREAM = 43;
  private static final int MAX_DIGITS = 19;

  /** Refuses parts of which no legal id can be made. */
  public EventId {
    if (!isStream(stream, stream.length()) || sequence < 0) {
      throw new IllegalArgumentException(
          "not the parts of an event id: stream of length="
              + stream.length()
              + " sequence="
              + sequence
              + "; a stream has 1 to 43 base64url characters, a sequence is not negative");
    }
  }

  /** The id in {@code text}, or empty if it is malformed. */
  public static Optional<EventId> parse(String text) {
    if (text.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    int dash = text.lastIndexOf('-');
    if (dash < 0 || !isStream(text, dash)) {
      return Optional.empty();
    }
    long sequence = sequence(text, dash + 1);
    return sequence < 0
        ? Optional.empty()
        : Optional.of(new EventId(text.substring(0, dash), sequence));
  }

  /** The id as text: visible ASCII, at most 64 characters. */
  public String format() {
    return stream + '-' + sequence;
  }

  private static boolean isStream(String text, int end) {
    if (end < 1 || end > MAX_STREAM) {
      return false;
    }
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
      if (!letter && !isDigit(c) && c != '_' && c != '-') {
        return false;
      }
    }
    return true;
  }

  /** The canonical decimal from {@code start} to the end, or -1. */
  private static long sequence(String text, int start) {
    int digits = text.length() - start;
    if (digits < 1 || digits > MAX_DIGITS || digits > 1 && text.charAt(start) == '0') {
      return -1;
    }
    long value = 0;
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isDigit(c)) {
        return -1;
      }
      value = value * 10 + (c - '0');
    }
    // 19 digits overflow a long at most once, so an overflow always shows as a negative value
    return value < 0 ? -1 : value;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
