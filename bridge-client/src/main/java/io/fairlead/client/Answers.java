package io.fairlead.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeReader;
import io.fairlead.wire.Json;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.RpcError;
import io.fairlead.wire.RpcId;
import io.fairlead.wire.Span;
import java.util.Optional;

/** What a response says about the request that it answers. Thread: owner loop. */
final class Answers {
  private static final String METHOD_NOT_FOUND = "" + RpcError.METHOD_NOT_FOUND;

  private Answers() {}

  /**
   * Whether {@code message}, which came on the exchange of the request {@code id}, answers it: it
   * has the id, or it is an error from a server that could not read the id.
   */
  static boolean isFor(RpcId id, Envelope message) {
    return message.id().map(id::equals).orElse(message.kind() == Envelope.Kind.ERROR);
  }

  /** The answer with the request's id, also where the server said null. */
  static Envelope withId(RpcId id, Envelope answer, EnvelopeReader reader) {
    if (answer.id().isPresent()) {
      return answer;
    }
    byte[] error = Json.copy(answer.bytes(), answer.error().orElseThrow());
    return read(reader, Notices.error(id, error));
  }

  /** An error that says why there is no other answer. */
  static Envelope error(RpcId id, String reason, String text, EnvelopeReader reader) {
    return read(reader, RpcError.of(RpcError.INTERNAL, reason, text).toMessage(Optional.of(id)));
  }

  private static Envelope read(EnvelopeReader reader, byte[] ours) {
    try {
      return reader.read(ours);
    } catch (MalformedMessage e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Whether an error proves that nothing ran: {@code session_unknown}, {@code dispatched:false}.
   */
  static boolean provesNotDispatched(Envelope answer) {
    byte[] bytes = answer.bytes();
    return reason(answer).filter("session_unknown"::equals).isPresent()
        && data(answer)
            .flatMap(found -> Json.member(bytes, found, "dispatched"))
            .filter(found -> new String(Json.copy(bytes, found), UTF_8).equals("false"))
            .isPresent();
  }

  /** Whether a server that lives has refused a method that it does not have. */
  static boolean knowsNoMethod(Envelope answer) {
    byte[] bytes = answer.bytes();
    return answer
        .error()
        .flatMap(error -> Json.member(bytes, error, "code"))
        .filter(code -> new String(Json.copy(bytes, code), UTF_8).equals(METHOD_NOT_FOUND))
        .isPresent();
  }

  /** The {@code data.reason} of an error. */
  static Optional<String> reason(Envelope answer) {
    byte[] bytes = answer.bytes();
    return data(answer)
        .flatMap(found -> Json.member(bytes, found, "reason"))
        .flatMap(found -> Json.string(bytes, found));
  }

  private static Optional<Span> data(Envelope answer) {
    return answer.error().flatMap(error -> Json.member(answer.bytes(), error, "data"));
  }
}
