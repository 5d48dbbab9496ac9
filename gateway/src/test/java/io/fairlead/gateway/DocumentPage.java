package io.fairlead.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A page of the documentation, in the parts that do not depend on its language.
 *
 * <p>Thread: the test's.
 *
 * @param path where it is, from the root of the project
 * @param text what stands in it
 */
record DocumentPage(String path, String text) {
  private static final Path ROOT = Path.of("..");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\n(.*?)^```$");
  private static final Pattern COMMENT = Pattern.compile("(?m)(^|\\s+)#\\s.*$");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]*)\\)");
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
  private static final Pattern HEADING = Pattern.compile("(?m)^(#+) .+$");

  /** A piece of code. */
  record Block(String language, String text) {}

  static DocumentPage read(String path) throws IOException {
    return new DocumentPage(path, Files.readString(ROOT.resolve(path)));
  }

  /** The blocks of code, as they are. */
  List<Block> blocks() {
    return BLOCK.matcher(text).results().map(at -> new Block(at.group(1), at.group(2))).toList();
  }

  /** What the blocks of code do: without their comments, which people read. */
  List<String> codeWithoutComments() {
    return blocks().stream()
        .map(block -> block.language() + "\n" + COMMENT.matcher(block.text()).replaceAll(""))
        .map(code -> code.replaceAll("\n+", "\n"))
        .toList();
  }

  /** The rows of all tables, as cells; the lines between head and body are left out. */
  List<List<String>> rows() {
    return prose()
        .lines()
        .filter(line -> line.startsWith("|") && !line.startsWith("|---"))
        .map(line -> Arrays.asList(line.substring(1).replace("\\|", "&#124;").split("\\|")))
        .map(cells -> cells.stream().map(String::strip).toList())
        .toList();
  }

  /** What each row of the tables has as code, sorted: languages order words differently. */
  List<List<String>> codeOfRows() {
    return rows().stream().map(cells -> codeIn(String.join("|", cells))).toList();
  }

  /** Where the links lead, sorted; the two languages are the same place. */
  List<String> links() {
    return LINK.matcher(text)
        .results()
        .map(at -> at.group(1).replaceFirst("^\\.\\./(en|zh)/", "../language/"))
        .map(link -> link.startsWith("../") ? link : link.replaceFirst("#.*", ""))
        .sorted()
        .toList();
  }

  /** The levels of the headings, in order. */
  List<String> headings() {
    return HEADING.matcher(prose()).results().map(at -> at.group(1)).toList();
  }

  private String prose() {
    return BLOCK.matcher(text).replaceAll("");
  }

  private static List<String> codeIn(String text) {
    return CODE.matcher(text).results().map((MatchResult at) -> at.group(1)).sorted().toList();
  }
}
