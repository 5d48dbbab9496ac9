package io.fairlead.bridge;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.EnvelopeEdit;
import io.fairlead.wire.Json;
import io.fairlead.wire.Methods;
import io.fairlead.wire.Span;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Hides tools from the client by the patterns of their names.
 *
 * <p>Thread: any; immutable.
 */
final class ToolFilter {
  private final List<Pattern> hidden;

  /**
   * @param patterns names in which {@code *} stands for any text
   */
  ToolFilter(List<String> patterns) {
    this.hidden =
        patterns.stream()
            .map(
                pattern ->
                    Pattern.compile(
                        Arrays.stream(pattern.split("\\*", -1))
                            .map(Pattern::quote)
                            .collect(Collectors.joining(".*"))))
            .toList();
  }

  /** Whether the request calls a tool that the client does not see. */
  boolean refuses(Envelope request) {
    return request.method().equals(Methods.TOOLS_CALL)
        && request.name().filter(this::hides).isPresent();
  }

  private boolean hides(String name) {
    return hidden.stream().anyMatch(pattern -> pattern.matcher(name).matches());
  }

  /** The answer to {@code tools/list} without the hidden tools; every other byte as it was. */
  byte[] filter(Envelope answer) {
    byte[] bytes = answer.bytes();
    Optional<Span> tools = answer.result().flatMap(r -> Json.member(bytes, r, "tools"));
    if (hidden.isEmpty() || tools.isEmpty()) {
      return bytes;
    }
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    char separator = '[';
    for (Span tool : Json.elements(bytes, tools.get())) {
      Optional<String> name =
          Json.member(bytes, tool, "name").flatMap(span -> Json.string(bytes, span));
      if (name.filter(this::hides).isEmpty()) {
        kept.write(separator);
        kept.writeBytes(Json.copy(bytes, tool));
        separator = ',';
      }
    }
    if (separator == '[') {
      kept.write('[');
    }
    kept.write(']');
    return EnvelopeEdit.of(bytes).replace(tools.get(), kept.toByteArray()).bytes();
  }
}
