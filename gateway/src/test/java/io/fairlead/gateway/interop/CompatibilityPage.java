package io.fairlead.gateway.interop;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * docs/compatibility.md, made of the results of the matrix and of {@code known.json}, which says
 * why a cell is not what one would wish, and where that is reported.
 *
 * <p>Thread: the test's.
 */
final class CompatibilityPage {
  static final Path DOCUMENT = Path.of("../docs/compatibility.md");

  private static final Path KNOWN = Path.of("src/test/interop/matrix/known.json");
  private static final List<String> CLIENT =
      List.of(
          "initialise",
          "list",
          "progress",
          "cut",
          "elicitation",
          "cancel",
          "expired",
          "offline",
          "idle");
  private static final List<String> BACKEND =
      List.of("initialise", "list", "progress", "cut", "elicitation", "cancel", "died");

  private final MatrixResults results;
  private final List<JsonObject> known;
  private final List<String> unexplained = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();

  private CompatibilityPage(MatrixResults results, List<JsonObject> known) {
    this.results = results;
    this.known = known;
  }

  static CompatibilityPage of(MatrixResults results) throws IOException {
    List<JsonObject> known =
        new JsonArray(Files.readString(KNOWN)).stream().map(JsonObject.class::cast).toList();
    CompatibilityPage page = new CompatibilityPage(results, known);
    page.write();
    return page;
  }

  /** Writes the page. */
  void publish() throws IOException {
    Files.writeString(DOCUMENT, text.toString());
  }

  String text() {
    return text.toString();
  }

  /** Cells that are not what one would wish, and that nobody explains. */
  List<String> unexplained() {
    return unexplained;
  }

  private void write() {
    text.append(
        HEAD.formatted(
            dates(),
            results.circumstance("jdks"),
            results.circumstance("node"),
            results.circumstance("python"),
            results.circumstance("system")));
    List<String> tables = results.tables();
    text.append("\n## Clients\n").append(CLIENTS);
    table(tables, "clients on ", CLIENT);
    text.append("\n## Modes\n").append(MODES);
    table(List.of("modes"), "modes", columns("modes"));
    text.append("\n## Backends\n").append(BACKENDS);
    table(tables, "backends on ", BACKEND);
    text.append("\n## Known differences\n\n");
    for (int i = 0; i < known.size(); i++) {
      text.append(difference(i + 1, known.get(i)));
    }
  }

  private String dates() {
    List<String> dates =
        results.tables().stream()
            .flatMap(table -> results.table(table).stream())
            .map(MatrixCells::date)
            .distinct()
            .sorted()
            .toList();
    String last = dates.get(dates.size() - 1);
    return dates.size() == 1 ? last : dates.get(0) + " to " + last;
  }

  /** The first table whole, and where the others differ from it. */
  private void table(List<String> tables, String prefix, List<String> columns) {
    List<String> alike = tables.stream().filter(name -> name.startsWith(prefix)).toList();
    String first = alike.get(0);
    text.append('\n').append(line(List.of("", String.join(" | ", columns))));
    text.append("|---".repeat(columns.size() + 1)).append("|\n");
    for (MatrixCells row : results.table(first)) {
      List<String> cells = new ArrayList<>(List.of(row.peer()));
      columns.forEach(column -> cells.add(shown(prefix, row, column)));
      text.append(line(cells));
    }
    for (String other : alike.subList(1, alike.size())) {
      List<String> differences = differences(first, other, columns);
      String here = first.substring(prefix.length());
      String there = other.substring(prefix.length());
      text.append(
          differences.isEmpty()
              ? "%nMeasured with the gateway on %s; on %s every cell%s came out the same.%n"
                  .formatted(
                      here,
                      there,
                      outcomes(first, columns).equals(outcomes(other, columns))
                          ? ""
                          : " that was measured")
              : "%nMeasured with the gateway on %s; on %s these cells differ: %s.%n"
                  .formatted(here, there, String.join("; ", differences)));
    }
  }

  /** The cells of a table, row by row. */
  private List<List<String>> outcomes(String table, List<String> columns) {
    return results.table(table).stream()
        .map(row -> columns.stream().map(column -> row.peer() + row.outcome(column)).toList())
        .toList();
  }

  private List<String> differences(String first, String other, List<String> columns) {
    List<String> differences = new ArrayList<>();
    for (MatrixCells row : results.table(other)) {
      Optional<MatrixCells> before = results.row(first, row.peer());
      for (String column : columns) {
        if (row.cell(column).isEmpty()) {
          continue;
        }
        String was = before.map(b -> b.outcome(column)).orElse("-");
        if (!row.outcome(column).equals(was)) {
          differences.add(row.peer() + ", " + column + ": " + row.outcome(column));
        }
      }
    }
    return differences;
  }

  private List<String> columns(String table) {
    return results.table(table).get(0).names();
  }

  private String shown(String kind, MatrixCells row, String column) {
    String outcome = row.outcome(column);
    String numbers =
        IntStream.range(0, known.size())
            .filter(i -> explains(known.get(i), kind, row, column))
            .mapToObj(i -> " [" + (i + 1) + "]")
            .collect(Collectors.joining());
    boolean wished = row.cell(column).map(cell -> cell.getBoolean("ok")).orElse(true);
    if (!wished && numbers.isEmpty()) {
      unexplained.add(row.peer() + ", " + column + ": " + row.cell(column).get().encode());
    }
    return outcome + numbers;
  }

  /** A note is of peers whose titles match, and of cells with its outcome, in a kind of table. */
  private static boolean explains(JsonObject note, String kind, MatrixCells row, String column) {
    return kind.startsWith(note.getString("table", ""))
        && Pattern.compile(note.getString("peer")).matcher(row.peer()).find()
        && note.getJsonArray("cells").contains(column)
        && row.outcome(column).startsWith(note.getString("outcome", ""));
  }

  private static String difference(int number, JsonObject note) {
    String reports =
        note.getJsonArray("reports").stream()
            .map(report -> "[%s](%s)".formatted(name((String) report), report))
            .collect(Collectors.joining(", "));
    return "%d. %s%s%n"
        .formatted(number, note.getString("text"), reports.isEmpty() ? "" : " " + reports + ".");
  }

  /** An issue or pull request, as people write it. */
  private static String name(String url) {
    return url.replaceAll("https://github.com/([^/]+/[^/]+)/(?:issues|pull)/(\\d+)", "$1#$2");
  }

  private static String line(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }

  private static final String HEAD =
      """
      # Compatibility

      Real clients and real servers of many versions, with the gateway between. This page is generated from
      `gateway/src/test/interop/matrix/results.json`, which the whole run writes, and `known.json` beside it, which explains
      what is not as one would wish. A cell that nobody explains fails the build. To measure anew (a quarter of an hour, more on busy cores;
      needs Node.js with npm, Python 3.11, and a second JDK if it is to be measured):

      ```
      mvn -B verify -pl gateway -am -Dit.test=MatrixIT -Dtest=none -Dtest.excluded=none -Dmatrix.write=true -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false
      ```

      `-Dmatrix.jdk=/path/to/a/jdk` names the second JDK; `-Dmatrix.peers=Java` and `-Dmatrix.tables=modes` (regular expressions) measure
      a part anew and keep the rest. Every build (`mvn verify`) measures TypeScript 1.32.2 and 2.4.0 and Java 2.1.0 again, and
      fails if one does not do what this page says.

      Measured on %s with the packaged gateway on JDK %s, Node.js %s, Python %s, %s. Each client is stock: nothing but its
      timeout is set.
      """;
  private static final String CLIENTS =
      """

      The client is in front of the gateway, a server built with the TypeScript SDK 1.32.2 behind it (stdio).

      * **initialise**: the revision that was agreed on. **list**: both tools are seen. **progress**: a call with four steps; each was
        heard, in order, before the result.
      * **cut**: the connection of a running call is cut (FIN) after its first event; whether the result reaches the caller, and
        how often the tool ran.
      * **elicitation**: the tool asks the user, and the answer reaches it. **cancel**: the client gives up a call; `yes` if the tool
        was told.
      * **expired**: the session is gone (404), and the client calls: `yes` if that call succeeds, `the next call` if the one after does,
        `anew` if the application has to connect anew.
      * **offline**: the same when the client had no network until its session ended by `sessions.idle-timeout`.
      * **idle**: the client does nothing for three times `sessions.idle-timeout`, then calls: `yes` if that succeeds, because its
        open stream kept the session or because it began a new one.
      """;
  private static final String MODES =
      """

      Initialise, list, a call with progress, and the end, in each mode and with each kind of authentication.
      """;
  private static final String BACKENDS =
      """

      The server is behind the gateway, the TypeScript client 1.32.2 in front of it: so **initialise** is what these two agreed on. The
      other columns are those above, and **died**: the server dies in a call; `yes` if the caller is told, and its next call works,
      with a new process (stdio) or when the server is back (HTTP).
      """;
}
