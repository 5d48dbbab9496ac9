package io.fairlead.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Says whether the reader and others ({@link StrictJson}) make the same of some bytes. */
final class JsonOracle {

  private JsonOracle() {}

  /** Fails unless both refuse the bytes, or both find the same values in them. */
  static void assertAgrees(EnvelopeReader reader, byte[] bytes) {
    boolean accepted = true;
    String why = "accepted";
    try {
      reader.validate(bytes);
    } catch (MalformedMessage refusal) {
      accepted = false;
      why = refusal.getMessage();
    }
    Optional<JsonNode> tree = StrictJson.parse(bytes);
    assertEquals(tree.isPresent(), accepted, () -> HexFormat.of().formatHex(bytes));
    assertTrue(accepted || why.startsWith("Not JSON: "), why);
    if (accepted) {
      assertSameTree(tree.get(), bytes, whole(bytes));
    }
  }

  /** What {@link Json} finds is what Jackson finds. */
  private static void assertSameTree(JsonNode node, byte[] bytes, Span span) {
    if (node.isObject()) {
      for (Map.Entry<String, JsonNode> member : node.properties()) {
        Optional<Span> value = Json.member(bytes, span, member.getKey());
        assertSameTree(member.getValue(), bytes, value.orElseThrow());
      }
      String noName = "x".repeat(bytes.length);
      assertEquals(Optional.empty(), Json.member(bytes, span, noName));
    } else if (node.isArray()) {
      List<Span> elements = Json.elements(bytes, span);
      assertEquals(node.size(), elements.size());
      for (int i = 0; i < elements.size(); i++) {
        assertSameTree(node.get(i), bytes, elements.get(i));
      }
    } else if (node.isTextual()) {
      assertEquals(Optional.of(node.textValue()), Json.string(bytes, span));
    } else {
      assertEquals(StrictJson.parse(Json.copy(bytes, span)), Optional.of(node));
    }
  }

  private static Span whole(byte[] bytes) {
    int end = bytes.length;
    while (" \t\r\n".indexOf(bytes[end - 1]) >= 0) {
      end--;
    }
    return new Span(JsonScanner.skipSpace(bytes, 0), end);
  }
}
