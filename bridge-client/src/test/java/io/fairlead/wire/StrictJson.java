package io.fairlead.wire;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Optional;

/**
 * What others say about a text: the JDK's decoder about UTF-8 and Jackson about JSON. Jackson's
 * ways that are not ours are made up for here: it takes a byte order mark and halves of surrogate
 * pairs in escapes; from bytes UTF-16 and overlong sequences; from characters hexadecimal digits of
 * which only the low byte is one. So it is asked twice.
 */
final class StrictJson {
  private static final ObjectMapper JACKSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private StrictJson() {}

  /** The value, if the bytes are strict JSON. */
  static Optional<JsonNode> parse(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      JsonNode node = JACKSON.readTree(bytes);
      JACKSON.readTree(text);
      boolean strict = !text.startsWith("\ufeff") && !node.isMissingNode() && isWhole(node);
      return strict ? Optional.of(node) : Optional.empty();
    } catch (IOException refused) {
      return Optional.empty();
    }
  }

  private static boolean isWhole(JsonNode node) {
    for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
      if (!isWhole(names.next())) {
        return false;
      }
    }
    for (JsonNode child : node) {
      if (!isWhole(child)) {
        return false;
      }
    }
    return !node.isTextual() || isWhole(node.textValue());
  }

  private static boolean isWhole(String text) {
    return text.codePoints().noneMatch(c -> c >= 0xd800 && c <= 0xdfff);
  }
}
