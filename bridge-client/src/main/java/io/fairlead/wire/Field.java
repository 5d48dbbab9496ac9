package io.fairlead.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The members of a message that are noted while it is read, as a tree of names below the message.
 *
 * <p>Thread: any; immutable.
 */
enum Field {
  /** Anything that nobody asks for. */
  NONE(null, ""),
  MESSAGE(null, ""),
  JSONRPC(MESSAGE, "jsonrpc"),
  ID(MESSAGE, "id"),
  METHOD(MESSAGE, "method"),
  PARAMS(MESSAGE, "params"),
  RESULT(MESSAGE, "result"),
  ERROR(MESSAGE, "error"),
  ERROR_CODE(ERROR, "code"),
  ERROR_TEXT(ERROR, "message"),
  NAME(PARAMS, "name"),
  URI(PARAMS, "uri"),
  REQUEST_ID(PARAMS, "requestId"),
  PROGRESS_TOKEN(PARAMS, "progressToken"),
  META(PARAMS, "_meta"),
  META_TOKEN(META, "progressToken"),
  REF(PARAMS, "ref"),
  REF_TYPE(REF, "type"),
  REF_NAME(REF, "name"),
  REF_URI(REF, "uri");

  static {
    for (Field field : values()) {
      field.children =
          Arrays.stream(values()).filter(child -> child.parent == field).toArray(Field[]::new);
    }
  }

  private final Field parent;
  private final byte[] key;
  private Field[] children;

  Field(Field parent, String key) {
    this.parent = parent;
    this.key = key.getBytes(StandardCharsets.US_ASCII);
  }

  /** Two ints for each field, start and end, all absent. */
  static int[] spans() {
    int[] spans = new int[2 * values().length];
    Arrays.fill(spans, -1);
    return spans;
  }

  /** The member of this object with that (decoded) name, or {@link #NONE}. */
  Field child(byte[] name, int from, int to) {
    for (Field child : children) {
      if (Arrays.equals(child.key, 0, child.key.length, name, from, to)) {
        return child;
      }
    }
    return NONE;
  }

  boolean in(int[] spans) {
    return spans[2 * ordinal()] >= 0;
  }

  int start(int[] spans) {
    return spans[2 * ordinal()];
  }

  int end(int[] spans) {
    return spans[2 * ordinal() + 1];
  }

  void set(int[] spans, int start, int end) {
    spans[2 * ordinal()] = start;
    spans[2 * ordinal() + 1] = end;
  }
}
