package io.fairlead.store;

/**
 * What there is to know of an event besides its data.
 *
 * @param sequence its number in the stream, from 1
 * @param kind what it carries
 * @param cost what it counts against the bounds
 */
record Head(long sequence, EventKind kind, long cost) {

  Head(long sequence, EventKind kind, int length) {
    this(sequence, kind, length + (long) Retention.EVENT_OVERHEAD);
  }
}
