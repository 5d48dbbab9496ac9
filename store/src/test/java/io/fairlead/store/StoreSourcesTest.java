package io.fairlead.store;

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

/** The store is plain code: the JDK alone, one thread, no input and output, no JSON. */
class StoreSourcesTest {
  private static final Path SOURCES = Path.of("src/main/java/io/fairlead/store");
  private static final Pattern ALLOWED_IMPORT =
      Pattern.compile(
          "import (static )?(java\\.(lang|security|time|util(\\.function)?)\\.\\w+.*);");
  private static final Pattern THREADS =
      Pattern.compile("\\bsynchronized\\b|\\bvolatile\\b|\\bThread\\.|java\\.util\\.concurrent");

  @Test
  void storeImportsValuesAndCollectionsAlone() {
    List<String> imports = lines().filter(line -> line.startsWith("import ")).toList();
    assertFalse(imports.isEmpty());
    assertEquals(
        List.of(),
        imports.stream().filter(line -> !ALLOWED_IMPORT.matcher(line).matches()).toList());
  }

  @Test
  void storeHasNoThreads() {
    assertEquals(List.of(), lines().filter(line -> THREADS.matcher(line).find()).toList());
  }

  private static Stream<String> lines() {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files.toList().stream().flatMap(StoreSourcesTest::lines);
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
