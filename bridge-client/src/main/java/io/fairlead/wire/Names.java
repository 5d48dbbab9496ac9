package io.fairlead.wire;

import java.security.SecureRandom;
import java.util.Arrays;

/**
 * The member names of all objects that are open, to find a duplicate in constant time. Names are
 * kept as their position in the message; only a name with escapes is kept decoded. Names are equal
 * if their texts are, halves of surrogate pairs included.
 *
 * <pre>
 *   entries  | outer object ... | inner object ... |      a stack: an object's names are released
 *                                 ^ mark           ^ size  when it closes
 *   table    hash of (mark, name) -> entry + 1            open addressing, linear probing
 * </pre>
 *
 * Entries leave in the reverse order in which they came, so a slot can be emptied without leaving a
 * hole in somebody's probe sequence. The hash is keyed by a secret: nobody can send names that
 * collide.
 *
 * <p>Thread: one at a time.
 */
final class Names {
  private static final long SECRET = new SecureRandom().nextLong() | 1;
  private static final int SMALL = 64;
  private static final int KEPT = 16_384;

  private int[] hashes;
  private int[] starts;
  private int[] ends;
  private int[] slots;
  private int[] table;
  private int size;
  private byte[] decoded = new byte[SMALL];
  private int decodedSize;
  private byte[] message;

  Names() {
    allocate(SMALL);
  }

  /** Forgets everything; names that follow stand in {@code message}. */
  void begin(byte[] message) {
    release(0);
    if (hashes.length > KEPT) {
      allocate(SMALL);
    }
    if (decoded.length > KEPT) {
      decoded = new byte[SMALL];
    }
    this.message = message;
  }

  /** Lets go of the message. */
  void end() {
    begin(null);
  }

  /** Where the names of an object that opens now will start. */
  int mark() {
    return size;
  }

  /** Forgets the names of the object that opened at {@code mark}. */
  void release(int mark) {
    while (size > mark) {
      table[slots[--size]] = 0;
      if (starts[size] < 0) {
        decodedSize = ~starts[size];
      }
    }
  }

  /** Adds a name without escapes; false if the object at {@code mark} has it already. */
  boolean add(int mark, int from, int to) {
    return insert(mark, message, from, to, false);
  }

  /** Adds a name with escapes, which are decoded for it. */
  boolean addEscaped(int mark, int from, int to) {
    int at = decodedSize;
    if (decoded.length - at < to - from) {
      decoded = Arrays.copyOf(decoded, Math.max(2 * decoded.length, at + to - from));
    }
    decodedSize = JsonString.decode(message, from, to, decoded, at);
    return insert(mark, decoded, at, decodedSize, true);
  }

  /** The member of {@code object} that the name added last stands for. */
  Field child(Field object) {
    int last = size - 1;
    return object.child(home(last), from(last), ends[last]);
  }

  private boolean insert(int mark, byte[] home, int from, int to, boolean escaped) {
    if (size == hashes.length) {
      grow();
    }
    int hash = hash(mark, home, from, to);
    int slot = hash & (table.length - 1);
    while (table[slot] != 0) {
      int entry = table[slot] - 1;
      if (hashes[entry] == hash
          && entry >= mark
          && Arrays.equals(home(entry), from(entry), ends[entry], home, from, to)) {
        return false;
      }
      slot = (slot + 1) & (table.length - 1);
    }
    table[slot] = size + 1;
    hashes[size] = hash;
    starts[size] = escaped ? ~from : from;
    ends[size] = to;
    slots[size++] = slot;
    return true;
  }

  private byte[] home(int entry) {
    return starts[entry] < 0 ? decoded : message;
  }

  private int from(int entry) {
    return starts[entry] < 0 ? ~starts[entry] : starts[entry];
  }

  private static int hash(int mark, byte[] home, int from, int to) {
    long hash = SECRET + mark;
    for (int i = from; i < to; i++) {
      hash = (hash ^ home[i]) * SECRET;
    }
    return (int) ((hash ^ hash >>> 32) * SECRET >>> 32);
  }

  private void allocate(int entries) {
    size = 0;
    hashes = new int[entries];
    starts = new int[entries];
    ends = new int[entries];
    slots = new int[entries];
    table = new int[2 * entries];
  }

  private void grow() {
    int entries = 2 * hashes.length;
    hashes = Arrays.copyOf(hashes, entries);
    starts = Arrays.copyOf(starts, entries);
    ends = Arrays.copyOf(ends, entries);
    slots = Arrays.copyOf(slots, entries);
    table = new int[2 * entries];
    for (int entry = 0; entry < size; entry++) {
      int slot = hashes[entry] & (table.length - 1);
      while (table[slot] != 0) {
        slot = (slot + 1) & (table.length - 1);
      }
      table[slot] = entry + 1;
      slots[entry] = slot;
    }
  }
}
