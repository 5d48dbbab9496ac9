package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.config.ConfigLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/embedding.md} shows the example as it is, and configurations that can be used. */
class EmbeddingDocumentTest {
  private static final Path EXAMPLE = Path.of("../examples/embedded");

  @Test
  void pageShowsTheExampleAsItIs() throws IOException {
    List<String> shown = blocks("java");
    for (String file : List.of("Shop", "Orders")) {
      String source = Files.readString(EXAMPLE.resolve("src/main/java/example/" + file + ".java"));
      assertTrue(
          shown.contains(source),
          () -> "copy " + file + ".java of examples/embedded into docs/embedding.md");
    }
  }

  @Test
  void pageNamesTheDependencyThatTheExampleHas() throws IOException {
    String pom = squeezed(Files.readString(EXAMPLE.resolve("pom.xml")));
    List<String> shown = blocks("xml");
    assertEquals(1, shown.size());
    assertTrue(pom.contains(squeezed(shown.get(0))), () -> shown.get(0));
  }

  @Test
  void configurationsOnThePageCanBeUsed() throws IOException {
    List<String> shown = blocks("hocon");
    assertTrue(shown.size() >= 1, "configurations");
    shown.forEach(hocon -> ConfigLoader.parse(hocon).orElseThrow());
  }

  private static String squeezed(String text) {
    return text.replaceAll("\\s+", "");
  }

  private static List<String> blocks(String language) throws IOException {
    return Pattern.compile("(?s)```" + language + "\n(.*?)```")
        .matcher(Files.readString(Path.of("../docs/embedding.md")))
        .results()
        .map(found -> found.group(1))
        .toList();
  }
}
