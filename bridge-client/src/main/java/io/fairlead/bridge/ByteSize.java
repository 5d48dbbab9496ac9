package io.fairlead.bridge;

/** A number of bytes. */
record ByteSize(int bytes) {
  @Override
  public String toString() {
    return bytes % (1 << 20) == 0 ? (bytes >> 20) + "MiB" : bytes + "B";
  }
}
