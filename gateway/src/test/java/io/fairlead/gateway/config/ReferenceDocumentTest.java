package io.fairlead.gateway.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/reference-configuration.md} is what the comments of {@code reference.conf} say.
 * Refresh with {@code mvn -pl gateway -am test -Dtest=ReferenceDocumentTest -Ddocs.write=true
 * -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class ReferenceDocumentTest {
  private static final Path DOCUMENT = Path.of("../docs/reference-configuration.md");
  private static final String HEAD =
      """
      # Configuration reference

      Generated from `reference.conf` (`gateway/src/main/resources`), by `ReferenceDocumentTest`: change it there.

      Sizes are numbers with `B`, `KiB`, `MiB` or `GiB`, durations numbers with `ms`, `s`, `m`, `h` or `d`. A number
      without a unit is taken as bytes, and refused as a duration. `-D KEY=VALUE` on the command line overrides any key.
      """;

  @Test
  void documentSaysWhatReferenceConfSays() throws IOException {
    StringBuilder text = new StringBuilder(HEAD);
    sections(ConfigLoader.reference().root(), "", text);
    if (Boolean.getBoolean("docs.write")) {
      Files.writeString(DOCUMENT, text);
    }
    assertEquals(Files.readString(DOCUMENT), text.toString());
  }

  private static void sections(ConfigObject section, String path, StringBuilder text) {
    List<Map.Entry<String, ConfigValue>> entries =
        section.entrySet().stream()
            .sorted(Comparator.comparing(ReferenceDocumentTest::line))
            .toList();
    List<Map.Entry<String, ConfigValue>> keys =
        entries.stream().filter(e -> !isSection(e)).toList();
    if (!keys.isEmpty()) {
      text.append("\n| key | default | meaning |\n|---|---|---|\n");
      keys.forEach(key -> row(path + key.getKey(), key.getValue(), text));
    }
    for (Map.Entry<String, ConfigValue> entry : entries) {
      if (isSection(entry)) {
        String name = path + entry.getKey();
        text.append(path.isEmpty() ? "\n## `" : "\n### `").append(name).append("`\n\n");
        text.append(comment(name, entry.getValue())).append('\n');
        sections((ConfigObject) entry.getValue(), name + ".", text);
      }
    }
  }

  private static void row(String key, ConfigValue value, StringBuilder text) {
    text.append("| `%s` | `%s` | %s |\n".formatted(key, shown(value), comment(key, value)));
  }

  private static String shown(ConfigValue value) {
    String text = value.render(ConfigRenderOptions.concise());
    return text.length() > 2 ? text.replace("\"", "") : text;
  }

  private static String comment(String key, ConfigValue value) {
    String comment =
        value.origin().comments().stream().map(String::strip).collect(Collectors.joining(" "));
    assertFalse(comment.isEmpty(), () -> "no comment in reference.conf, key=" + key);
    return comment.replace("<", "&lt;").replace("|", "\\|");
  }

  /** An empty section is a key: what it holds is up to whoever writes it. */
  private static boolean isSection(Map.Entry<String, ConfigValue> entry) {
    return entry.getValue() instanceof ConfigObject section
        && (!section.isEmpty() || entry.getKey().equals("local"));
  }

  private static int line(Map.Entry<String, ConfigValue> entry) {
    return entry.getValue().origin().lineNumber();
  }
}
