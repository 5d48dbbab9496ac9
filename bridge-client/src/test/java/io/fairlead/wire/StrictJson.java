package io.fairlead.wire;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What others say about a text: the JDK's decoder about UTF-8 and Jackson about JSON. It is asked
 * about characters: from bytes it takes UTF-16 and overlong sequences, and no halves of surrogate
 * pairs in names. Its ways that are not ours are made up for here: it takes a byte order mark, and
 * hexadecimal digits of which only the low byte is one.
 */
final class StrictJson {
  private static final ObjectMapper JACKSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** An escape, behind pairs of backslashes alone, with a digit that is none. */
  private static final Pattern FOREIGN_DIGIT =
      Pattern.compile("(?<!\\\\)(?:\\\\\\\\)*+\\\\u\\p{XDigit}{0,3}[^\\x00-\\x7f]");

  private StrictJson() {}

  /** The value, if the bytes are strict JSON. */
  static Optional<JsonNode> parse(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      JsonNode node = JACKSON.readTree(text);
      boolean strict =
          !text.startsWith("\ufeff")
              && !node.isMissingNode()
              && !FOREIGN_DIGIT.matcher(text).find();
      return strict ? Optional.of(node) : Optional.empty();
    } catch (IOException refused) {
      return Optional.empty();
    }
  }
}
