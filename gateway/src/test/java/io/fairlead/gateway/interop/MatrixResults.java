package io.fairlead.gateway.interop;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the matrix found: {@code src/test/interop/matrix/results.json}.
 *
 * <p>Thread: the test's.
 */
final class MatrixResults {
  private static final Path FILE = Path.of("src/test/interop/matrix/results.json");
  private static final Path LAST = Path.of("target/matrix.json");

  private final JsonObject json;

  private MatrixResults(JsonObject json) {
    this.json = json;
  }

  /** Of nothing yet. */
  static MatrixResults empty() {
    return new MatrixResults(new JsonObject());
  }

  /** Those that docs/compatibility.md shows. */
  static MatrixResults shown() throws IOException {
    return new MatrixResults(new JsonObject(Files.readString(FILE)));
  }

  /** Notes them in {@code target}, and to be shown if that is wanted. */
  void write() throws IOException {
    String text = json.encodePrettily() + "\n";
    Files.writeString(LAST, text);
    if (Boolean.getBoolean("matrix.write")) {
      Files.writeString(FILE, text);
    }
  }

  /** Notes where and with what it ran. */
  void put(String circumstance, String value) {
    json.put(circumstance, value);
  }

  String circumstance(String name) {
    return json.getString(name);
  }

  /** Notes a row, in the place of the one that the peer has. */
  void add(String table, String peer, Map<String, JsonObject> cells) {
    JsonObject copy = new JsonObject();
    cells.forEach(copy::put);
    JsonObject row =
        new JsonObject()
            .put("peer", peer)
            .put("date", LocalDate.now().toString())
            .put("cells", copy);
    JsonArray rows = rows(table);
    for (int i = 0; i < rows.size(); i++) {
      if (rows.getJsonObject(i).getString("peer").equals(peer)) {
        rows.set(i, row);
        return;
      }
    }
    rows.add(row);
  }

  /** The names of the tables, in their order. */
  List<String> tables() {
    return json.fieldNames().stream()
        .filter(name -> json.getValue(name) instanceof JsonArray)
        .toList();
  }

  /** The rows of a table, in their order. */
  List<MatrixCells> table(String table) {
    return rows(table).stream().map(JsonObject.class::cast).map(MatrixCells::new).toList();
  }

  /** The row of a peer. */
  Optional<MatrixCells> row(String table, String peer) {
    return table(table).stream().filter(row -> row.peer().equals(peer)).findFirst();
  }

  private JsonArray rows(String table) {
    if (!json.containsKey(table)) {
      json.put(table, new JsonArray());
    }
    return json.getJsonArray(table);
  }
}
