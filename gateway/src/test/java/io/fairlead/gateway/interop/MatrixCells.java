package io.fairlead.gateway.interop;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * A row of the matrix, as it is noted.
 *
 * @param json with the peer's title, the date and the cells
 */
record MatrixCells(JsonObject json) {

  String peer() {
    return json.getString("peer");
  }

  String date() {
    return json.getString("date");
  }

  List<String> names() {
    return List.copyOf(json.getJsonObject("cells").fieldNames());
  }

  Optional<JsonObject> cell(String name) {
    return Optional.ofNullable(json.getJsonObject("cells").getJsonObject(name));
  }

  /** A cell, in a word or two. */
  String outcome(String name) {
    return cell(name).map(cell -> outcome(name, cell)).orElse("-");
  }

  /** What came of something, in a word or two. */
  static String outcome(String name, JsonObject cell) {
    boolean ok = cell.getBoolean("ok");
    String note = cell.getString("note", "");
    if (note.equals("not offered")) {
      return note;
    }
    return switch (name) {
      case "initialise" -> ok ? note : "no";
      case "cut" -> (ok ? "delivered, " : "not delivered, ") + runs(cell.getLong("executions"));
      case "expired", "offline" ->
          ok ? "yes" : cell.getString("then", "stuck").replaceAll("^next$", "the next call");
      default -> ok ? "yes" : "no";
    };
  }

  private static String runs(long executions) {
    return executions == 1 ? "ran once" : "ran " + executions + " times";
  }
}
