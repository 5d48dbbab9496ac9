package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.config.ConfigLoader;
import io.fairlead.gateway.config.ConfigProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The pages in {@code docs/en} and {@code docs/zh} say the same, and name every key and every
 * reason of their subject. The references in {@code docs} are generated, so they say what there is.
 *
 * <p>What a failure lists is to be added to the pages that it names, in both languages.
 */
class LanguagesDocumentTest {
  private static final List<String> LANGUAGES = List.of("en", "zh");

  /** The page where each section of the configuration is explained. */
  private static final Map<String, String> SECTIONS =
      Map.of(
          "sessions", "sessions.md",
          "limits", "limits.md",
          "events", "limits.md",
          "auth", "authentication.md");

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{\\??(\\w+)}");

  @Test
  void everyPageIsThereInBothLanguages() throws IOException {
    assertEquals(names("en"), names("zh"));
    assertTrue(names("en").size() >= 7, () -> "pages=" + names("en"));
  }

  @Test
  void codeIsTheSameInBothLanguages() throws IOException {
    assertEquals(List.of(), differences("block of code", DocumentPage::codeWithoutComments));
  }

  @Test
  void tablesNameTheSameInBothLanguages() throws IOException {
    assertEquals(List.of(), differences("code in row", DocumentPage::codeOfRows));
  }

  @Test
  void linksLeadToTheSamePlacesInBothLanguages() throws IOException {
    assertEquals(List.of(), differences("link", DocumentPage::links));
  }

  @Test
  void headingsAreTheSameInBothLanguages() throws IOException {
    assertEquals(List.of(), differences("level of heading", DocumentPage::headings));
  }

  @Test
  void everyKeyIsExplainedWithItsDefault() throws IOException {
    List<String> missing = new ArrayList<>();
    for (List<String> reference : page("docs/reference-configuration.md").rows()) {
      String key = reference.get(0);
      Optional<String> page = Optional.ofNullable(SECTIONS.get(section(key)));
      if (page.isPresent()) {
        for (DocumentPage there : inBothLanguages(page.get())) {
          List<String> row = List.of(key, reference.get(1));
          if (there.rows().stream().noneMatch(cells -> cells.subList(0, 2).equals(row))) {
            missing.add(there.path() + " lacks a row | " + String.join(" | ", row) + " |");
          }
        }
      }
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void everyReasonIsExplained() throws IOException {
    List<String> missing = new ArrayList<>();
    for (DocumentPage there : inBothLanguages("statuses.md")) {
      for (List<String> said : said()) {
        if (there.rows().stream().noneMatch(row -> isAbout(row, said))) {
          missing.add(there.path() + " lacks a row | " + String.join(" | ", said) + " |");
        }
      }
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void everyConfigurationCanBeLoaded() throws IOException {
    List<String> refused = new ArrayList<>();
    int loaded = 0;
    for (DocumentPage page : pages()) {
      for (DocumentPage.Block block : page.blocks()) {
        if (block.language().equals("hocon")) {
          loaded++;
          problems(block.text()).forEach(problem -> refused.add(page.path() + ": " + problem));
        }
      }
    }
    assertEquals(List.of(), refused);
    assertTrue(loaded > 20, "loaded=" + loaded);
  }

  /** With a value for each variable of the environment. */
  private static List<ConfigProblem> problems(String hocon) {
    return ConfigLoader.parse(VARIABLE.matcher(hocon).replaceAll("\"a-value-of-$1-0123456789\""))
        .fold(accepted -> List.of(), refused -> refused.problems());
  }

  /** Status, code or state, and the reason, of everything that the reference lists. */
  private static Set<List<String>> said() throws IOException {
    return page("docs/reference-errors.md").rows().stream()
        .map(row -> List.of(row.get(0), row.get(row.size() > 3 ? 2 : 1)))
        .filter(pair -> pair.get(1).startsWith("`") && !pair.get(1).equals("`reason`"))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static boolean isAbout(List<String> row, List<String> said) {
    return row.get(0).equals(said.get(0)) && row.get(1).contains(said.get(1));
  }

  private static String section(String key) {
    return key.replaceFirst("^`(\\w+)\\..*", "$1");
  }

  /** Where the two languages differ, page by page: the first place of each. */
  private static List<String> differences(String what, Function<DocumentPage, List<?>> parts)
      throws IOException {
    List<String> found = new ArrayList<>();
    for (String name : names("en")) {
      List<?> english = parts.apply(page("docs/en/" + name));
      List<?> chinese = parts.apply(page("docs/zh/" + name));
      for (int i = 0; i < Math.max(english.size(), chinese.size()); i++) {
        Object one = i < english.size() ? english.get(i) : "nothing";
        Object other = i < chinese.size() ? chinese.get(i) : "nothing";
        if (!one.equals(other)) {
          found.add("%s, %s %d: en=%s zh=%s".formatted(name, what, i + 1, one, other));
          break;
        }
      }
    }
    return found;
  }

  private static List<DocumentPage> inBothLanguages(String name) throws IOException {
    List<DocumentPage> pages = new ArrayList<>();
    for (String language : LANGUAGES) {
      pages.add(page("docs/" + language + "/" + name));
    }
    return pages;
  }

  private static List<DocumentPage> pages() throws IOException {
    List<DocumentPage> pages = new ArrayList<>(List.of(page("README.md")));
    for (String name : names("en")) {
      pages.addAll(inBothLanguages(name));
    }
    return pages;
  }

  private static DocumentPage page(String path) throws IOException {
    return DocumentPage.read(path);
  }

  private static Set<String> names(String language) {
    try (Stream<Path> files = Files.list(Path.of("../docs", language))) {
      return files
          .map(file -> file.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
