package io.fairlead.gateway.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Each {@code golden/x.conf} reads as {@code x.expected} says: every problem, or the values that
 * differ from the defaults. Refresh with {@code -Dgolden.write=true}, then read the difference.
 */
class ConfigGoldenTest {
  private static final Path GOLDEN =
      Path.of("src/test/resources/io/fairlead/gateway/config/golden").toAbsolutePath();

  @TestFactory
  Stream<DynamicTest> configurationReadsAsExpected() throws IOException {
    return Files.list(GOLDEN)
        .filter(file -> file.toString().endsWith(".conf"))
        .sorted()
        .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> check(file)));
  }

  private static void check(Path file) throws IOException {
    ConfigResult result = ConfigLoader.load(Optional.of(file), Map.of());
    String found =
        result.fold(accepted -> different(accepted.print()), ConfigResult.Refused::text) + "\n";
    found = found.replace(GOLDEN + "/", "");
    Path expected = Path.of(file.toString().replaceFirst("conf$", "expected"));
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(expected, found);
    }
    assertEquals(Files.readString(expected), found);
    assertFalse(found.contains("canary"), "a secret is shown");
  }

  private static String different(String printed) {
    Map<String, String> values = flat(printed);
    ConfigLoader.parse("")
        .fold(
            accepted -> values.entrySet().removeAll(flat(accepted.print()).entrySet()),
            refused -> false);
    return values.entrySet().stream()
        .map(entry -> entry.getKey() + " = " + entry.getValue())
        .collect(Collectors.joining("\n"));
  }

  private static Map<String, String> flat(String printed) {
    Config config = ConfigFactory.parseString(printed);
    Map<String, String> flat = new TreeMap<>();
    for (Map.Entry<String, ConfigValue> entry : config.entrySet()) {
      flat.put(entry.getKey(), entry.getValue().render(ConfigRenderOptions.concise()));
    }
    return flat;
  }
}
