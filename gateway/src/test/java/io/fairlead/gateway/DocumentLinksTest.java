package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links between the pages of this project lead somewhere, and every page can be found. */
class DocumentLinksTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]*)\\)");
  private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\n]*`");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+)$");

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      for (String link : links(page)) {
        if (!isFound(page, link)) {
          broken.add(ROOT.relativize(page) + ": " + link);
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void everyPageOfDocsIsLinkedFromAnother() throws IOException {
    List<Path> linked = new ArrayList<>();
    for (Path page : pages()) {
      links(page).stream().map(link -> target(page, link)).forEach(linked::add);
    }
    List<Path> lonely =
        pages().stream()
            .filter(page -> page.startsWith(ROOT.resolve("docs")))
            .filter(page -> !linked.contains(page) && !linked.contains(page.getParent()))
            .toList();
    assertEquals(List.of(), lonely);
  }

  private static boolean isFound(Path page, String link) throws IOException {
    Path target = target(page, link);
    if (!Files.exists(target)) {
      return false;
    }
    int hash = link.indexOf('#');
    return hash < 0 || anchors(target).contains(link.substring(hash + 1));
  }

  private static Path target(Path page, String link) {
    String file = link.replaceFirst("#.*", "");
    return file.isEmpty() ? page : page.resolveSibling(file).normalize();
  }

  /** Links to other places of the project; those to the web are not followed. */
  private static List<String> links(Path page) throws IOException {
    String text = CODE.matcher(Files.readString(page)).replaceAll("");
    return LINK.matcher(text)
        .results()
        .map((MatchResult found) -> found.group(1))
        .filter(link -> !link.contains("://") && !link.startsWith("mailto:"))
        .toList();
  }

  private static List<String> anchors(Path page) throws IOException {
    return HEADING
        .matcher(Files.readString(page))
        .results()
        .map(
            heading ->
                heading
                    .group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-'))
        .toList();
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      Stream.concat(top, docs).filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
    }
    assertTrue(pages.size() > 10, () -> "pages=" + pages);
    return pages;
  }
}
