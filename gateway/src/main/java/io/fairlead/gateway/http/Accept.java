package io.fairlead.gateway.http;

import io.fairlead.wire.Headers;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Locale;

/**
 * What a client takes as an answer, by its header Accept.
 *
 * <p>Thread: any; immutable.
 *
 * @param json whether it takes JSON
 * @param stream whether it takes an event stream
 * @param streamFirst whether it names an event stream before JSON, and so prefers it
 */
record Accept(boolean json, boolean stream, boolean streamFirst) {

  static Accept of(MultiMap headers) {
    List<String> types =
        headers.getAll("Accept").stream()
            .flatMap(line -> List.of(line.split(",")).stream())
            .map(Accept::withoutParameters)
            .toList();
    boolean anything = types.isEmpty() || types.contains("*/*");
    return new Accept(
        anything || types.contains(Headers.JSON) || types.contains("application/*"),
        types.contains(Headers.SSE) || types.contains("text/*"),
        types.contains(Headers.SSE) && types.indexOf(Headers.SSE) < types.indexOf(Headers.JSON));
  }

  /** Of a POST; refuses one that takes neither form of an answer. */
  static Accept ofPost(MultiMap headers) {
    Accept accept = of(headers);
    if (!accept.json && !accept.stream) {
      throw new Refused(Refusals.notAcceptable("application/json or text/event-stream"));
    }
    return accept;
  }

  /** Of a GET; refuses one that takes no event stream. */
  static Accept ofGet(MultiMap headers) {
    Accept accept = of(headers);
    if (!accept.stream) {
      throw new Refused(Refusals.notAcceptable("text/event-stream"));
    }
    return accept;
  }

  /** How the answer to a request that may stream is to be given; {@code eager}: from the start. */
  CallReply.Form form(boolean eager) {
    if (!stream) {
      return CallReply.Form.JSON;
    }
    return eager || streamFirst || !json ? CallReply.Form.STREAM : CallReply.Form.EITHER;
  }

  /** A media type alone, in lower case. */
  static String withoutParameters(String mediaType) {
    int parameters = mediaType.indexOf(';');
    return (parameters < 0 ? mediaType : mediaType.substring(0, parameters))
        .trim()
        .toLowerCase(Locale.ROOT);
  }
}
