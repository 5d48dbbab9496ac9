package io.fairlead.wire;

import io.fairlead.wire.Envelope.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Reads a JSON-RPC message in one streaming pass over its bytes: strict JSON (RFC 8259) and strict
 * UTF-8, no duplicate keys at any depth, no byte order mark, bounded depth, counts and numbers.
 * What passes is passed on byte by byte, an escaped half of a surrogate pair too.
 *
 * <p>Source: JSON-RPC 2.0; MCP 2025-11-25, basic, "Messages" (an id is a string or an integer,
 * params are an object).
 *
 * <p>Thread: one at a time; it holds scratch space.
 */
public final class EnvelopeReader {
  private final WireLimits limits;
  private final boolean fromClients;
  private final JsonScanner scanner;

  public EnvelopeReader(WireLimits limits) {
    this(limits, false);
  }

  private EnvelopeReader(WireLimits limits, boolean fromClients) {
    this.limits = limits;
    this.fromClients = fromClients;
    this.scanner = new JsonScanner(limits);
  }

  /**
   * A reader of what clients send: it also refuses a message without an id whose method is none of
   * a notification, which would pass by all that is asked of requests.
   */
  public static EnvelopeReader ofClients(WireLimits limits) {
    return new EnvelopeReader(limits, true);
  }

  /**
   * Reads one message; the array is kept, not copied.
   *
   * @throws MalformedMessage with -32700 if it is not JSON, -32600 if it is not one JSON-RPC
   *     message
   */
  public Envelope read(byte[] message) throws MalformedMessage {
    try {
      scanner.document(message, Field.MESSAGE);
      return envelope(message, scanner.spans().clone());
    } finally {
      scanner.release();
    }
  }

  /**
   * Checks that {@code json} is one JSON value, by the same rules and bounds as a message.
   *
   * @throws MalformedMessage with -32700 if it is not
   */
  public void validate(byte[] json) throws MalformedMessage {
    try {
      scanner.document(json, Field.NONE);
    } finally {
      scanner.release();
    }
  }

  /**
   * The id of a message of which only the beginning is there, or which is refused further on; empty
   * if it comes later, or may not be echoed. For error answers alone.
   */
  public Optional<RpcId> idOf(byte[] beginning) {
    try {
      scanner.value(beginning, 0, Field.MESSAGE);
    } catch (MalformedMessage expected) {
      // what was noted before stays
    } finally {
      scanner.release();
    }
    int[] spans = scanner.spans();
    // a number that ends with the input may have more digits
    boolean cut = Field.ID.end(spans) == beginning.length;
    return cut ? Optional.empty() : readId(beginning, spans);
  }

  /** Whether the first byte that is not white space opens an array. */
  public static boolean isBatch(byte[] message) {
    int first = JsonScanner.skipSpace(message, 0);
    return first < message.length && message[first] == '[';
  }

  /**
   * Reads a batch (revision 2025-03-26 only): each element as a message of its own bytes. Reading
   * stops at the first fault, so that a batch costs no more than {@code max} messages.
   *
   * @throws MalformedMessage also for an empty batch, one above {@code max}, or any malformed
   *     element
   */
  public List<Envelope> readBatch(byte[] message, int max) throws MalformedMessage {
    try {
      return elements(message, max);
    } finally {
      scanner.release();
    }
  }

  private List<Envelope> elements(byte[] message, int max) throws MalformedMessage {
    List<Envelope> elements = new ArrayList<>();
    int at = JsonScanner.skipSpace(message, 0);
    if (at == message.length || message[at] != '[') {
      throw invalid("a batch is an array of messages", Optional.empty());
    }
    int first = JsonScanner.skipSpace(message, at + 1);
    boolean open = first == message.length || message[first] != ']';
    at = open ? at + 1 : first + 1;
    while (open) {
      if (elements.size() == max) {
        throw invalid("batch above the limit of " + max + " messages", Optional.empty());
      }
      at = JsonScanner.skipSpace(message, scanner.value(message, at, Field.MESSAGE));
      elements.add(element(message));
      if (at == message.length || (message[at] != ',' && message[at] != ']')) {
        throw scanner.malformed("expected , or ]");
      }
      open = message[at++] == ',';
    }
    if (JsonScanner.skipSpace(message, at) < message.length) {
      throw scanner.malformed("more follows after the batch");
    }
    if (elements.isEmpty()) {
      throw invalid("empty batch", Optional.empty());
    }
    return elements;
  }

  /** The message that was scanned last, in bytes of its own. */
  private Envelope element(byte[] batch) throws MalformedMessage {
    int[] spans = scanner.spans().clone();
    int start = Field.MESSAGE.start(spans);
    byte[] bytes = Arrays.copyOfRange(batch, start, Field.MESSAGE.end(spans));
    for (int i = 0; i < spans.length; i++) {
      spans[i] = spans[i] < 0 ? -1 : spans[i] - start;
    }
    return envelope(bytes, spans);
  }

  private Envelope envelope(byte[] bytes, int[] spans) throws MalformedMessage {
    if (bytes[Field.MESSAGE.start(spans)] != '{') {
      throw invalid("a message is one object", Optional.empty());
    }
    Optional<RpcId> id = readId(bytes, spans);
    Kind kind = kind(bytes, spans, id);
    if (Field.ID.in(spans) && id.isEmpty() && !(kind == Kind.ERROR && isNull(bytes, spans))) {
      String text = "id must be a string or an integer of at most " + limits.maxIdBytes();
      throw invalid(text + " bytes", Optional.empty());
    }
    String method = "";
    if (kind == Kind.REQUEST || kind == Kind.NOTIFICATION) {
      method = text(bytes, spans, Field.METHOD).orElseThrow();
      if (kind == Kind.NOTIFICATION && fromClients && !Methods.notifies(method)) {
        throw invalid("a request needs an id", id);
      }
      if (Field.PARAMS.in(spans) && bytes[Field.PARAMS.start(spans)] != '{') {
        throw invalid("params must be an object", id);
      }
      checkKept(bytes, spans, kind, id);
    }
    if (!isId(bytes, spans, Field.REQUEST_ID)) {
      Field.REQUEST_ID.set(spans, -1, -1);
    }
    return new Envelope(bytes, kind, id, method, spans);
  }

  /** Method and token are held as long as a call runs, and the token is in all that it reports. */
  private void checkKept(byte[] bytes, int[] spans, Kind kind, Optional<RpcId> id)
      throws MalformedMessage {
    if (Field.METHOD.end(spans) - Field.METHOD.start(spans) > limits.maxIdBytes()) {
      throw invalid("method must have at most " + limits.maxIdBytes() + " bytes", id);
    }
    boolean token = kind == Kind.REQUEST && Field.META_TOKEN.in(spans);
    if (token
        && Field.META_TOKEN.end(spans) - Field.META_TOKEN.start(spans) > limits.maxIdBytes()
        && Envelope.isStringOrNumber(bytes[Field.META_TOKEN.start(spans)])) {
      String text = "progressToken must be a string or a number of at most " + limits.maxIdBytes();
      throw invalid(text + " bytes", id);
    }
  }

  private Kind kind(byte[] bytes, int[] spans, Optional<RpcId> id) throws MalformedMessage {
    if (text(bytes, spans, Field.JSONRPC).filter("2.0"::equals).isEmpty()) {
      throw invalid("jsonrpc must be \"2.0\"", id);
    }
    boolean result = Field.RESULT.in(spans);
    boolean error = Field.ERROR.in(spans);
    if (Field.METHOD.in(spans)) {
      if (result || error) {
        throw invalid("method and " + (result ? "result" : "error") + " exclude each other", id);
      }
      if (text(bytes, spans, Field.METHOD).isEmpty()) {
        throw invalid("method must be a string", id);
      }
      return Field.ID.in(spans) ? Kind.REQUEST : Kind.NOTIFICATION;
    }
    if (result == error) {
      throw invalid(result ? "result and error exclude each other" : "method is missing", id);
    }
    if (result && !Field.ID.in(spans)) {
      throw invalid("a result needs an id", id);
    }
    if (error && !isError(bytes, spans)) {
      throw invalid("error must have an integer code and a string message", id);
    }
    return result ? Kind.RESULT : Kind.ERROR;
  }

  private static boolean isError(byte[] bytes, int[] spans) {
    return Field.ERROR_CODE.in(spans)
        && isInteger(bytes, spans, Field.ERROR_CODE)
        && text(bytes, spans, Field.ERROR_TEXT).isPresent();
  }

  private Optional<RpcId> readId(byte[] bytes, int[] spans) {
    return isId(bytes, spans, Field.ID)
        ? Optional.of(RpcId.copyOf(bytes, new Span(Field.ID.start(spans), Field.ID.end(spans))))
        : Optional.empty();
  }

  private boolean isId(byte[] bytes, int[] spans, Field field) {
    return field.in(spans)
        && field.end(spans) - field.start(spans) <= limits.maxIdBytes()
        && (bytes[field.start(spans)] == '"' || isInteger(bytes, spans, field));
  }

  private static boolean isNull(byte[] bytes, int[] spans) {
    return bytes[Field.ID.start(spans)] == 'n';
  }

  /** Whether a JSON value is a number without fraction and exponent. */
  private static boolean isInteger(byte[] bytes, int[] spans, Field field) {
    for (int i = field.start(spans); i < field.end(spans); i++) {
      if (bytes[i] != '-' && (bytes[i] < '0' || bytes[i] > '9')) {
        return false;
      }
    }
    return true;
  }

  private static Optional<String> text(byte[] bytes, int[] spans, Field field) {
    return field.in(spans) && bytes[field.start(spans)] == '"'
        ? Optional.of(JsonString.text(bytes, field.start(spans) + 1, field.end(spans) - 1))
        : Optional.empty();
  }

  private static MalformedMessage invalid(String what, Optional<RpcId> id) {
    String text = "Not a JSON-RPC message: " + what;
    return new MalformedMessage(
        RpcError.of(RpcError.INVALID_REQUEST, "malformed", text), id.orElse(null));
  }
}
