package io.fairlead.client;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.RpcId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import java.util.Optional;

/**
 * A response with an error status, and the JSON-RPC error in its body if there is one for the
 * request. A proxy can have made it after the server accepted the call, so a status alone proves
 * nothing unless it can only be a refusal.
 *
 * <p>Thread: owner loop.
 *
 * @param whole whether the body came to its end: else it might have said more
 */
record Refusal(int status, Optional<Envelope> error, boolean whole) {
  private static final int MAX_BODY = 64 * 1024;
  private static final long MAX_WAIT_MILLIS = 1000;

  /**
   * Reads the body in bounded time; what cannot be read counts as absent. Must be called in the
   * turn in which the head came. Never fails.
   */
  static Future<Refusal> read(HttpTransport transport, HttpClientResponse response, RpcId id) {
    Promise<Refusal> read = Promise.promise();
    int status = response.statusCode();
    Refusal cut = new Refusal(status, Optional.empty(), false);
    long timer = transport.vertx().setTimer(MAX_WAIT_MILLIS, fired -> read.tryComplete(cut));
    Bodies.whole(response, Math.min(MAX_BODY, transport.options().maxMessage()))
        .map(body -> new Refusal(status, parse(transport, body, id), true))
        .otherwise(
            cause -> cause instanceof TooLarge ? new Refusal(status, Optional.empty(), true) : cut)
        .onSuccess(read::tryComplete);
    return read.future().onComplete(done -> transport.vertx().cancelTimer(timer));
  }

  private static Optional<Envelope> parse(HttpTransport transport, Buffer body, RpcId id) {
    try {
      return Optional.of(transport.reader().read(body.getBytes()))
          .filter(message -> message.kind() == Envelope.Kind.ERROR && Answers.isFor(id, message));
    } catch (MalformedMessage e) {
      return Optional.empty();
    }
  }

  boolean isUnauthorized() {
    return status == 401 || status == 403;
  }

  boolean isSessionUnknown() {
    return status == 404;
  }

  /** Whether the server says, in words that no proxy knows, that nothing ran. */
  boolean provesNotDispatched() {
    return isSessionUnknown() && error.filter(Answers::provesNotDispatched).isPresent();
  }

  /** The {@code data.reason} of a Fairlead; empty if there is none. */
  Optional<String> reason() {
    return error.flatMap(Answers::reason);
  }

  boolean says(String reason) {
    return reason().filter(reason::equals).isPresent();
  }

  /** Whether the request was refused for what it is, so that it cannot have run. */
  boolean isDefinite() {
    return status / 100 == 4 && status != 404 && status != 408;
  }

  /** An error with the request's own id: only who read the request can have made it. */
  boolean answers(RpcId id) {
    return error.flatMap(Envelope::id).filter(id::equals).isPresent();
  }
}
