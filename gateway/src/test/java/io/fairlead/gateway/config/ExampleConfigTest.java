package io.fairlead.gateway.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every file in {@code conf/} can be used as it is. */
class ExampleConfigTest {
  private static final Path CONF = Path.of("../conf");

  @TestFactory
  Stream<DynamicTest> exampleIsAccepted() throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.walk(CONF)) {
      files = found.filter(file -> file.toString().endsWith(".conf")).sorted().toList();
    }
    assertTrue(files.size() >= 5, () -> "files=" + files);
    return files.stream()
        .map(file -> DynamicTest.dynamicTest(CONF.relativize(file).toString(), () -> load(file)));
  }

  @Test
  void severalBackendsAreIncludedFromTheOtherExamples() {
    GatewayConfig config = load(CONF.resolve("examples/several-backends.conf"));
    assertEquals(List.of("demo", "files", "search"), List.copyOf(config.backends().keySet()));
    assertEquals(Optional.of("web"), config.backends().get("search").prefix());
  }

  private static GatewayConfig load(Path file) {
    return ConfigLoader.load(Optional.of(file), Map.of()).orElseThrow();
  }
}
