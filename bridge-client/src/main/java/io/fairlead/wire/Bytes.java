package io.fairlead.wire;

import java.util.Arrays;

/**
 * Bytes that are gathered piece by piece. Who appends bounds them; a large array is given back.
 *
 * <p>Thread: one at a time.
 */
final class Bytes {
  private static final int KEPT = 65_536;
  private static final byte[] NONE = {};

  private byte[] bytes;
  private int size;

  Bytes() {
    this.bytes = NONE;
  }

  Bytes(int capacity) {
    this.bytes = new byte[capacity];
  }

  int size() {
    return size;
  }

  byte at(int index) {
    return bytes[index];
  }

  void append(byte[] from, int start, int end) {
    int count = end - start;
    reserve(count);
    System.arraycopy(from, start, bytes, size, count);
    size += count;
  }

  void append(char ascii) {
    reserve(1);
    bytes[size++] = (byte) ascii;
  }

  /** Whether {@code [from, from + part.length)} is that part. */
  boolean has(byte[] part, int from) {
    return size - from >= part.length
        && Arrays.equals(bytes, from, from + part.length, part, 0, part.length);
  }

  byte[] copy(int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
  }

  /** All bytes; without a copy if they fill their array. Nothing may be appended afterwards. */
  byte[] take() {
    return size == bytes.length ? bytes : copy(0, size);
  }

  void clear() {
    size = 0;
    if (bytes.length > KEPT) {
      bytes = NONE;
    }
  }

  private void reserve(int count) {
    int needed = Math.addExact(size, count);
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, Math.max(64, 2 * bytes.length)));
    }
  }
}
