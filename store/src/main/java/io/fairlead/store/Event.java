package io.fairlead.store;

/**
 * One event of a stream.
 *
 * @param sequence its number in the stream, from 1
 * @param kind what it carries
 * @param data the message's bytes; not to be changed
 */
public record Event(long sequence, EventKind kind, byte[] data) {

  Head head() {
    return new Head(sequence, kind, data.length);
  }

  /** What the event counts against the bounds. */
  long cost() {
    return head().cost();
  }
}
