package io.fairlead.wire;

/**
 * Steps over the members or elements of one JSON value that was checked before.
 *
 * <p>Thread: one at a time.
 */
final class JsonCursor {
  private final byte[] bytes;
  private final int end;
  private int at;

  JsonCursor(byte[] bytes, Span value) {
    this.bytes = bytes;
    this.at = value.start();
    this.end = value.end();
  }

  /** Steps over the bracket that opens the value; false if that is another one. */
  boolean enter(char bracket) {
    boolean is = at < end && bytes[at] == bracket;
    at++;
    return is;
  }

  /** Steps to the next member or element; false at the end. */
  boolean more() {
    skipTo();
    if (bytes[at] == ',') {
      at++;
      skipTo();
    }
    return bytes[at] != '}' && bytes[at] != ']';
  }

  /** Steps over the colon after a name, and to the value. */
  void colon() {
    skipTo();
    at++;
    skipTo();
  }

  /** Steps over a value. */
  Span value() {
    int from = at;
    switch (bytes[at]) {
      case '"' -> string();
      case '{', '[' -> nested();
      default -> word();
    }
    return new Span(from, at);
  }

  private void nested() {
    int depth = 0;
    do {
      byte b = bytes[at];
      if (b == '"') {
        string();
        continue;
      }
      if (b == '{' || b == '[') {
        depth++;
      } else if (b == '}' || b == ']') {
        depth--;
      }
      at++;
    } while (depth > 0);
  }

  private void string() {
    at++;
    while (bytes[at] != '"') {
      at += bytes[at] == '\\' ? 2 : 1;
    }
    at++;
  }

  private void word() {
    while (at < end && ",]} \t\r\n".indexOf(bytes[at]) < 0) {
      at++;
    }
  }

  private void skipTo() {
    at = JsonScanner.skipSpace(bytes, at);
  }
}
