package io.fairlead.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The wire is plain code: the JDK alone, one thread, no sockets and files, no JSON library. */
class WireSourcesTest {
  private static final Path SOURCES = Path.of("src/main/java/io/fairlead/wire");
  private static final Pattern ALLOWED_IMPORT =
      Pattern.compile(
          "import (static )?(io\\.fairlead\\.wire|java\\.(lang|math|security|nio\\.charset|io|util(\\.function)?))\\.[A-Z].*");
  private static final Pattern THREADS =
      Pattern.compile("\\bsynchronized\\b|\\bvolatile\\b|\\bThread\\.|java\\.util\\.concurrent");

  @Test
  void wireImportsValuesAndCollectionsAlone() {
    List<String> imports = lines().filter(line -> line.startsWith("import ")).toList();
    assertFalse(imports.isEmpty());
    assertEquals(
        List.of(),
        imports.stream().filter(line -> !ALLOWED_IMPORT.matcher(line).matches()).toList());
  }

  @Test
  void wireHasNoThreads() {
    assertEquals(List.of(), lines().filter(line -> THREADS.matcher(line).find()).toList());
  }

  private static Stream<String> lines() {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files.toList().stream().flatMap(WireSourcesTest::lines);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
