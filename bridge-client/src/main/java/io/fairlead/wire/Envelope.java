package io.fairlead.wire;

import java.util.Optional;

/**
 * One JSON-RPC message: its bytes, and what was read from them in one pass. Params and results
 * travel as these bytes; only what has a span here may be spliced ({@link EnvelopeEdit}).
 *
 * <p>Thread: any; immutable by convention (nobody writes into {@link #bytes()}).
 */
public final class Envelope {

  /** What a JSON-RPC message is. */
  public enum Kind {
    REQUEST,
    NOTIFICATION,
    RESULT,
    ERROR
  }

  private static final int MAX_REASON = 1000;

  private final byte[] bytes;
  private final Kind kind;
  private final Optional<RpcId> id;
  private final String method;
  private final int[] spans;

  /** {@code spans} holds only what the accessors may give, by {@link Field}; it is kept. */
  Envelope(byte[] bytes, Kind kind, Optional<RpcId> id, String method, int[] spans) {
    this.bytes = bytes;
    this.kind = kind;
    this.id = id;
    this.method = method;
    this.spans = spans;
  }

  public byte[] bytes() {
    return bytes;
  }

  public Kind kind() {
    return kind;
  }

  /** True for {@link Kind#RESULT} and {@link Kind#ERROR}. */
  public boolean isResponse() {
    return kind() == Kind.RESULT || kind() == Kind.ERROR;
  }

  /** Whether it has a request's method and no id, so that nobody could answer it. */
  public boolean lacksId() {
    return kind == Kind.NOTIFICATION && Methods.asks(method);
  }

  /** The id; absent on notifications, and on an error answer with {@code "id":null} or without. */
  public Optional<RpcId> id() {
    return id;
  }

  /** The method of a request or notification, else the empty string. */
  public String method() {
    return method;
  }

  /** Where the id stands; absent where {@link #id()} is. */
  public Optional<Span> idSpan() {
    return id.isPresent() ? span(Field.ID) : Optional.empty();
  }

  /** The whole value of {@code params}. */
  public Optional<Span> params() {
    return span(Field.PARAMS);
  }

  /** The whole value of {@code result}. */
  public Optional<Span> result() {
    return span(Field.RESULT);
  }

  /** The whole value of {@code error}. */
  public Optional<Span> error() {
    return span(Field.ERROR);
  }

  /**
   * The JSON string that says what the message is about, with its quotes: {@code params.name}
   * (tools/call, prompts/get), {@code params.uri} (resources/read, subscribe, unsubscribe and
   * notifications/resources/updated), {@code params.ref.name} or {@code params.ref.uri}
   * (completion/complete: the one that {@code params.ref.type} asks for).
   */
  public Optional<Span> nameSpan() {
    return span(nameField()).filter(span -> bytes[span.start()] == '"');
  }

  /** The decoded string at {@link #nameSpan()}. */
  public Optional<String> name() {
    return nameSpan().flatMap(span -> Json.string(bytes, span));
  }

  /**
   * The progress token: {@code params._meta.progressToken} of a request, {@code
   * params.progressToken} of notifications/progress; a string (with quotes) or a number.
   */
  public Optional<Span> progressToken() {
    Field field =
        kind == Kind.REQUEST
            ? Field.META_TOKEN
            : method.equals(Methods.PROGRESS) ? Field.PROGRESS_TOKEN : Field.NONE;
    return span(field).filter(this::isStringOrNumber);
  }

  /** {@code params.requestId} of notifications/cancelled; a string or a number. */
  public Optional<Span> cancelledId() {
    Field field = method.equals(Methods.CANCELLED) ? Field.REQUEST_ID : Field.NONE;
    return span(field).filter(this::isStringOrNumber);
  }

  /** {@code params.reason} of notifications/cancelled, if it is a text of a length to be read. */
  public Optional<String> cancelReason() {
    return params()
        .filter(found -> method.equals(Methods.CANCELLED))
        .flatMap(found -> Json.member(bytes, found, "reason"))
        .flatMap(found -> Json.string(bytes, found))
        .filter(reason -> reason.length() <= MAX_REASON);
  }

  /** This message under another id, without reading it again; every other byte as it was. */
  public Envelope withId(RpcId other) {
    return splice(idSpan().orElseThrow(), other.json(), Optional.of(other));
  }

  /** This message with another progress token, a JSON string or number. */
  public Envelope withProgressToken(byte[] json) {
    return splice(progressToken().orElseThrow(), json, id);
  }

  private Envelope splice(Span at, byte[] json, Optional<RpcId> newId) {
    int[] moved = spans.clone();
    for (int i = 0; i < moved.length; i++) {
      if (moved[i] >= at.end()) {
        moved[i] += json.length - at.length();
      }
    }
    byte[] edited = EnvelopeEdit.of(bytes).replace(at, json).bytes();
    return new Envelope(edited, kind, newId, method, moved);
  }

  private Field nameField() {
    return switch (method) {
      case Methods.TOOLS_CALL, Methods.PROMPTS_GET -> Field.NAME;
      case Methods.RESOURCES_READ,
          Methods.RESOURCES_SUBSCRIBE,
          Methods.RESOURCES_UNSUBSCRIBE,
          Methods.RESOURCES_UPDATED ->
          Field.URI;
      case Methods.COMPLETE -> refersToResource() ? Field.REF_URI : Field.REF_NAME;
      default -> Field.NONE;
    };
  }

  private boolean refersToResource() {
    return span(Field.REF_TYPE)
        .flatMap(span -> Json.string(bytes, span))
        .filter("ref/resource"::equals)
        .isPresent();
  }

  private boolean isStringOrNumber(Span span) {
    return isStringOrNumber(bytes[span.start()]);
  }

  /** Whether a JSON value that begins so is a string or a number. */
  static boolean isStringOrNumber(byte first) {
    return first == '"' || first == '-' || (first >= '0' && first <= '9');
  }

  private Optional<Span> span(Field field) {
    return field.in(spans)
        ? Optional.of(new Span(field.start(spans), field.end(spans)))
        : Optional.empty();
  }
}
