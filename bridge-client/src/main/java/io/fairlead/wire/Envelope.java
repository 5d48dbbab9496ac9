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

  Envelope() {}

  public byte[] bytes() {
    throw new UnsupportedOperationException("stub");
  }

  public Kind kind() {
    throw new UnsupportedOperationException("stub");
  }

  /** True for {@link Kind#RESULT} and {@link Kind#ERROR}. */
  public boolean isResponse() {
    return kind() == Kind.RESULT || kind() == Kind.ERROR;
  }

  /** The id; absent on notifications, and on an error answer with {@code "id":null}. */
  public Optional<RpcId> id() {
    throw new UnsupportedOperationException("stub");
  }

  /** The method of a request or notification, else the empty string. */
  public String method() {
    throw new UnsupportedOperationException("stub");
  }

  public Optional<Span> idSpan() {
    throw new UnsupportedOperationException("stub");
  }

  /** The whole value of {@code params}. */
  public Optional<Span> params() {
    throw new UnsupportedOperationException("stub");
  }

  /** The whole value of {@code result}. */
  public Optional<Span> result() {
    throw new UnsupportedOperationException("stub");
  }

  /** The whole value of {@code error}. */
  public Optional<Span> error() {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * The JSON string that says what the message is about, with its quotes: {@code params.name}
   * (tools/call, prompts/get), {@code params.uri} (resources/read, subscribe, unsubscribe and
   * notifications/resources/updated), {@code params.ref.name} or {@code params.ref.uri}
   * (completion/complete).
   */
  public Optional<Span> nameSpan() {
    throw new UnsupportedOperationException("stub");
  }

  /** The decoded string at {@link #nameSpan()}. */
  public Optional<String> name() {
    throw new UnsupportedOperationException("stub");
  }

  /**
   * The progress token: {@code params._meta.progressToken} of a request, {@code
   * params.progressToken} of notifications/progress; a string (with quotes) or a number.
   */
  public Optional<Span> progressToken() {
    throw new UnsupportedOperationException("stub");
  }

  /** {@code params.requestId} of notifications/cancelled. */
  public Optional<Span> cancelledId() {
    throw new UnsupportedOperationException("stub");
  }
}
