package io.fairlead.wire;

import java.util.Arrays;

/**
 * Checks one JSON value in a single pass over its bytes, without recursion, and notes where the
 * {@link Field}s of a message stand.
 *
 * <p>Source: RFC 8259 (grammar), RFC 3629 (UTF-8); duplicate names and a byte order mark are
 * refused, which RFC 8259 leaves open. Halves of surrogate pairs are taken as escapes (section 8.2:
 * programs write them where they cut a text in two), not in UTF-8, which has none.
 *
 * <p>Thread: one at a time.
 */
final class JsonScanner {
  private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
  private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
  private static final byte[] NULL = {'n', 'u', 'l', 'l'};

  private final WireLimits limits;
  private final Names names = new Names();
  private final int[] spans = Field.spans();

  // One entry for each open array or object; index 0 stands for what is outside of the value.
  private int[] starts = new int[16];
  private int[] counts = new int[16];
  private int[] marks = new int[16];
  private boolean[] objects = new boolean[16];

  /** The field whose value is being read, in each open array or object. */
  private Field[] fields = new Field[16];

  private byte[] in;
  private int at;
  private int depth;

  JsonScanner(WireLimits limits) {
    this.limits = limits;
  }

  /** Checks that {@code bytes} are one value, which is the field {@code top}. */
  void document(byte[] bytes, Field top) throws MalformedMessage {
    int end = value(bytes, 0, top);
    if (skipSpace(bytes, end) < bytes.length) {
      throw malformed("more follows after the value");
    }
  }

  /** Checks the value that starts at {@code from} or after white space; gives its end. */
  int value(byte[] bytes, int from, Field top) throws MalformedMessage {
    in = bytes;
    at = from;
    depth = 0;
    fields[0] = top;
    Arrays.fill(spans, -1);
    names.begin(bytes);
    do {
      boolean complete = start();
      while (complete && depth > 0) {
        complete = follow();
      }
    } while (depth > 0);
    return at;
  }

  /** Where fields stood in the value read last, also if it was refused half-way. */
  int[] spans() {
    return spans;
  }

  /** Lets go of what was read. */
  void release() {
    in = null;
    names.end();
  }

  /** The first offset from {@code at} that is not white space. */
  static int skipSpace(byte[] bytes, int at) {
    int next = at;
    while (next < bytes.length
        && (bytes[next] == ' '
            || bytes[next] == '\n'
            || bytes[next] == '\r'
            || bytes[next] == '\t')) {
      next++;
    }
    return next;
  }

  MalformedMessage malformed(String what) {
    String text = "Not JSON: " + what + ", offset=" + at + "; send RFC 8259 JSON in UTF-8";
    return new MalformedMessage(RpcError.of(RpcError.PARSE, "malformed", text), null);
  }

  private MalformedMessage above(String limit, int value) {
    String text = "Message above the " + limit + "=" + value + ", offset=" + at;
    return new MalformedMessage(
        RpcError.of(RpcError.PARSE, "malformed", text + "; send a smaller one"), null);
  }

  /** Reads a value's start; false if that opened an array or object which is not empty. */
  private boolean start() throws MalformedMessage {
    int b = next();
    if (b == '{' || b == '[') {
      return open(b == '{');
    }
    int from = at;
    switch (b) {
      case '"' -> string();
      case 't' -> literal(TRUE);
      case 'f' -> literal(FALSE);
      case 'n' -> literal(NULL);
      default -> number(b);
    }
    found(from);
    return true;
  }

  private boolean open(boolean object) throws MalformedMessage {
    if (depth == limits.maxDepth()) {
      throw above("limit depth", limits.maxDepth());
    }
    if (++depth == starts.length) {
      deepen();
    }
    starts[depth] = at++;
    counts[depth] = 1;
    marks[depth] = names.mark();
    objects[depth] = object;
    fields[depth] = Field.NONE;
    if (next() == (object ? '}' : ']')) {
      close();
      return true;
    }
    if (object) {
      name();
    }
    return false;
  }

  /** Reads what follows a value inside of an array or object; true if that closed it. */
  private boolean follow() throws MalformedMessage {
    boolean object = objects[depth];
    int b = next();
    if (b == ',') {
      if (++counts[depth] > limits.maxMembers()) {
        throw above("fixed limit members", limits.maxMembers());
      }
      at++;
      if (object) {
        next();
        name();
      }
      return false;
    }
    if (b != (object ? '}' : ']')) {
      throw malformed(object ? "expected , or }" : "expected , or ]");
    }
    close();
    return true;
  }

  private void close() {
    at++;
    names.release(marks[depth]);
    int from = starts[depth--];
    found(from);
  }

  private void found(int from) {
    Field field = fields[depth];
    if (field != Field.NONE) {
      field.set(spans, from, at);
    }
  }

  private void name() throws MalformedMessage {
    if (in[at] != '"') {
      throw malformed("expected a name in quotes");
    }
    int from = at + 1;
    boolean escaped = string();
    int mark = marks[depth];
    boolean added = escaped ? names.addEscaped(mark, from, at - 1) : names.add(mark, from, at - 1);
    if (!added) {
      throw malformed("the same name twice in one object");
    }
    Field object = fields[depth - 1];
    fields[depth] = object == Field.NONE ? Field.NONE : names.child(object);
    if (next() != ':') {
      throw malformed("expected :");
    }
    at++;
  }

  /** Moves behind a string's closing quote; true if there are escapes in it. */
  private boolean string() throws MalformedMessage {
    byte[] bytes = in;
    boolean escaped = false;
    int next = JsonString.skipPlain(bytes, at + 1, bytes.length);
    while (next < bytes.length && bytes[next] != '"') {
      int length = 0;
      if (bytes[next] < 0) {
        length = JsonString.sequence(bytes, next, bytes.length);
      } else if (bytes[next] == '\\') {
        length = JsonString.escape(bytes, next, bytes.length);
        escaped = true;
      }
      if (length == 0) {
        at = next;
        throw malformed(bytes[next] < 0 ? "not UTF-8" : "bad character or escape in a string");
      }
      next = JsonString.skipPlain(bytes, next + length, bytes.length);
    }
    at = next;
    if (next == bytes.length) {
      throw malformed("it ends inside of a string");
    }
    at++;
    return escaped;
  }

  private void literal(byte[] word) throws MalformedMessage {
    int end = at + word.length;
    if (end > in.length || !Arrays.equals(in, at, end, word, 0, word.length)) {
      throw malformed("unknown word");
    }
    at = end;
  }

  private void number(int first) throws MalformedMessage {
    int from = at;
    int next = first == '-' ? at + 1 : at;
    if (next < in.length && in[next] == '0') {
      next++;
    } else {
      next = digits(next);
    }
    if (next < in.length && in[next] == '.') {
      next = digits(next + 1);
    }
    if (next < in.length && (in[next] == 'e' || in[next] == 'E')) {
      next++;
      boolean signed = next < in.length && (in[next] == '+' || in[next] == '-');
      next = digits(signed ? next + 1 : next);
    }
    if (next - from > limits.maxDigits()) {
      throw above("fixed limit digits", limits.maxDigits());
    }
    at = next;
  }

  /** The offset after one or more digits. */
  private int digits(int from) throws MalformedMessage {
    int next = from;
    while (next < in.length && in[next] >= '0' && in[next] <= '9') {
      next++;
    }
    if (next == from) {
      throw malformed("expected a value");
    }
    return next;
  }

  /** The next byte that is not white space. */
  private int next() throws MalformedMessage {
    at = skipSpace(in, at);
    if (at == in.length) {
      throw malformed("it ends too early");
    }
    return in[at];
  }

  private void deepen() {
    int size = 2 * starts.length;
    starts = Arrays.copyOf(starts, size);
    counts = Arrays.copyOf(counts, size);
    marks = Arrays.copyOf(marks, size);
    objects = Arrays.copyOf(objects, size);
    fields = Arrays.copyOf(fields, size);
  }
}
