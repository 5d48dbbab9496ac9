package io.fairlead.store;

import java.util.Optional;

/**
 * The id of an event: {@code <stream>-<sequence>}.
 *
 * @param stream base64url or base32 characters, 1 to 43 of them
 * @param sequence from 0 (the stream's start) on
 */
public record EventId(String stream, long sequence) {

  /** The id in {@code text}, or empty if it is malformed. */
  public static Optional<EventId> parse(String text) {
    throw new UnsupportedOperationException("stub");
  }

  /** The id as text: visible ASCII, at most 64 characters. */
  public String format() {
    throw new UnsupportedOperationException("stub");
  }
}
