package io.fairlead.wire;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds values in JSON bytes that {@link EnvelopeReader} accepted before (it does not validate),
 * and writes small ones.
 *
 * <p>Thread: any; without state.
 */
public final class Json {

  private Json() {}

  /**
   * The span of the value of {@code key} in the object at {@code object}; empty if not an object.
   */
  public static Optional<Span> member(byte[] bytes, Span object, String key) {
    JsonCursor cursor = new JsonCursor(bytes, object);
    if (!cursor.enter('{')) {
      return Optional.empty();
    }
    while (cursor.more()) {
      Span name = cursor.value();
      cursor.colon();
      Span value = cursor.value();
      if (JsonString.text(bytes, name.start() + 1, name.end() - 1).equals(key)) {
        return Optional.of(value);
      }
    }
    return Optional.empty();
  }

  /** The spans of the elements of the array at {@code array}; empty if not an array. */
  public static List<Span> elements(byte[] bytes, Span array) {
    List<Span> elements = new ArrayList<>();
    JsonCursor cursor = new JsonCursor(bytes, array);
    if (cursor.enter('[')) {
      while (cursor.more()) {
        elements.add(cursor.value());
      }
    }
    return elements;
  }

  /** The decoded string at {@code string}, which has its quotes; empty if not a string. */
  public static Optional<String> string(byte[] bytes, Span string) {
    return string.length() >= 2 && bytes[string.start()] == '"'
        ? Optional.of(JsonString.text(bytes, string.start() + 1, string.end() - 1))
        : Optional.empty();
  }

  /** The bytes of {@code span}. */
  public static byte[] copy(byte[] bytes, Span span) {
    return java.util.Arrays.copyOfRange(bytes, span.start(), span.end());
  }

  /** {@code text} as a JSON string with quotes, in UTF-8, which is read as the very same text. */
  public static byte[] quote(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2);
    JsonString.quote(text, true, quoted);
    return quoted.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * A value as JSON text, in UTF-8: strings, integers, booleans, and maps (in their order, with
   * strings as keys) and lists of these. Half a surrogate pair in a string becomes U+FFFD.
   */
  public static byte[] write(Object value) {
    StringBuilder text = new StringBuilder();
    write(value, text);
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** The whole JSON-RPC response with this result, which {@link #write} can write. */
  public static byte[] result(RpcId id, Map<String, Object> result) {
    return response(Optional.of(id), "result", result);
  }

  /** The whole JSON-RPC response whose result is this JSON text, as it is. */
  public static byte[] result(RpcId id, byte[] result) {
    byte[] head =
        ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":").getBytes(StandardCharsets.UTF_8);
    byte[] message = Arrays.copyOf(head, head.length + result.length + 1);
    System.arraycopy(result, 0, message, head.length, result.length);
    message[message.length - 1] = '}';
    return message;
  }

  /** A whole JSON-RPC response with this one member beside the id. */
  static byte[] response(Optional<RpcId> id, String name, Object value) {
    StringBuilder text = new StringBuilder("{\"jsonrpc\":\"2.0\",\"id\":");
    text.append(id.map(RpcId::toString).orElse("null")).append(",\"").append(name).append("\":");
    write(value, text);
    return text.append('}').toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void write(Object value, StringBuilder to) {
    if (value instanceof String text) {
      JsonString.quote(text, false, to);
    } else if (value instanceof Boolean || value instanceof Integer || value instanceof Long) {
      to.append(value);
    } else if (value instanceof Map<?, ?> map) {
      String separator = "{";
      for (Map.Entry<?, ?> member : map.entrySet()) {
        to.append(separator);
        JsonString.quote((String) member.getKey(), false, to);
        write(member.getValue(), to.append(':'));
        separator = ",";
      }
      to.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof List<?> list) {
      String separator = "[";
      for (Object element : list) {
        write(element, to.append(separator));
        separator = ",";
      }
      to.append(list.isEmpty() ? "[]" : "]");
    } else {
      throw new IllegalArgumentException("no JSON for a value of type=" + value.getClass());
    }
  }
}
