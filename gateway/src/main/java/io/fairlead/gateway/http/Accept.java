package io.fairlead.gateway.http;

import io.fairlead.wire.Headers;
import io.vertx.core.MultiMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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

  private static final Pattern NO_WEIGHT = Pattern.compile("[qQ]=0(\\.0{0,3})?");

  static Accept of(MultiMap headers) {
    Set<String> taken = new LinkedHashSet<>();
    Set<String> refused = new LinkedHashSet<>();
    headers.getAll("Accept").stream()
        .flatMap(line -> Stream.of(line.split(",")))
        .forEach(range -> (isRefused(range) ? refused : taken).add(withoutParameters(range)));
    boolean anything = taken.isEmpty() && refused.isEmpty();
    List<String> order = List.copyOf(taken);
    return new Accept(
        anything || takes(taken, refused, Headers.JSON, "application/*", "*/*"),
        takes(taken, refused, Headers.SSE, "text/*"),
        order.contains(Headers.SSE) && order.indexOf(Headers.SSE) < order.indexOf(Headers.JSON));
  }

  /** Whether the first of {@code ranges} that the client names, the closest one, is taken. */
  private static boolean takes(Set<String> taken, Set<String> refused, String... ranges) {
    return Stream.of(ranges)
        .filter(range -> taken.contains(range) || refused.contains(range))
        .findFirst()
        .filter(taken::contains)
        .isPresent();
  }

  /** Whether its weight is 0, which means "not acceptable": RFC 9110, section 12.4.2. */
  private static boolean isRefused(String range) {
    return Stream.of(range.split(";"))
        .skip(1)
        .anyMatch(parameter -> NO_WEIGHT.matcher(parameter.trim()).matches());
  }

  /** Of a POST; refuses one that takes neither form of an answer. */
  static Accept ofPost(MultiMap headers) {
    Accept accept = of(headers);
    if (!accept.json && !accept.stream) {
      throw new Refused(Refusals.notAcceptable("application/json or text/event-stream"));
    }
    return accept;
  }

  /** Refuses what is answered by one JSON body alone, if the client takes none. */
  void requireJson(String what) {
    if (!json) {
      throw new Refused(Refusals.notAcceptable(Headers.JSON + " for " + what));
    }
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
