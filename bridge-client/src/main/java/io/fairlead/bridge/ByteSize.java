package io.fairlead.bridge;

/** A number of bytes. */
record ByteSize(int bytes) {
  private static final int MOST = 64 << 20;

  /** A message is in memory up to four times while it passes, and others pass beside it. */
  private static final int SHARE_OF_HEAP = 16;

  /** What one message may take of so much heap, even if others as large come at once. */
  static ByteSize ofHeap(long heap) {
    return new ByteSize((int) Math.min(MOST, heap / SHARE_OF_HEAP));
  }

  @Override
  public String toString() {
    return bytes % (1 << 20) == 0 ? (bytes >> 20) + "MiB" : bytes + "B";
  }
}
