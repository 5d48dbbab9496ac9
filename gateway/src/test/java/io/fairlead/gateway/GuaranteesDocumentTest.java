package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each test that {@code docs/guarantees.md} names exists; each of its promises names one. */
class GuaranteesDocumentTest {
  private static final Path DOCUMENT = Path.of("../docs/guarantees.md");
  private static final List<String> MODULES = List.of("store", "bridge-client", "gateway");
  private static final Pattern NAMED = Pattern.compile("`(\\w+)#(\\w+)`");

  @Test
  void everyTestThatIsNamedExists() throws IOException {
    Map<String, String> tests = tests();
    List<String> missing =
        NAMED
            .matcher(Files.readString(DOCUMENT))
            .results()
            .filter(Predicate.not(named -> isTest(tests.getOrDefault(named.group(1), ""), named)))
            .map(MatchResult::group)
            .toList();
    assertEquals(List.of(), missing);
  }

  @Test
  void everyPromiseNamesATest() throws IOException {
    String promises = Files.readString(DOCUMENT).split("\n## Not promised")[0];
    List<String> rows =
        promises
            .lines()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| what holds"))
            .toList();
    assertTrue(rows.size() > 40, () -> "rows=" + rows.size());
    assertEquals(List.of(), rows.stream().filter(row -> !NAMED.matcher(row).find()).toList());
  }

  /** A method with a test's annotation before it, and no other method between them. */
  private static boolean isTest(String source, MatchResult named) {
    return Pattern.compile(
            "@(?:Test|ParameterizedTest|Property|Example|TestFactory)\\b"
                + "(?:(?!\\) (?:throws \\w+ )?\\{).)*?\\b"
                + named.group(2)
                + "\\(",
            Pattern.DOTALL)
        .matcher(source)
        .find();
  }

  /** The sources of all tests, by the name of their class. */
  private static Map<String, String> tests() throws IOException {
    return MODULES.stream()
        .map(module -> Path.of("..", module, "src/test/java"))
        .flatMap(GuaranteesDocumentTest::files)
        .filter(file -> file.toString().endsWith(".java"))
        .collect(
            Collectors.toMap(
                file -> file.getFileName().toString().replace(".java", ""),
                GuaranteesDocumentTest::read,
                String::concat));
  }

  private static Stream<Path> files(Path root) {
    try (Stream<Path> found = Files.walk(root)) {
      return found.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
