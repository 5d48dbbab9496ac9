package io.fairlead.gateway.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * lifecycle 117: the part of the compatibility matrix whose clients are there without being
 * fetched: they do what docs/compatibility.md says.
 */
@NeedsNode
class CompatibilityIT {
  private static final String TABLE = "clients on JDK 17";

  @TempDir static Path directory;
  private static Ledger ledger;

  @BeforeAll
  static void openLedger() {
    ledger = Ledger.in(directory);
  }

  static List<MatrixPeer> clients() throws IOException {
    return MatrixPeers.present();
  }

  @ParameterizedTest
  @MethodSource("clients")
  void clientDoesWhatTheMatrixSays(MatrixPeer client) throws Exception {
    MatrixCells row = MatrixResults.shown().row(TABLE, client.title()).orElseThrow();
    List<String> cells = new ArrayList<>(List.of("initialise", "list", "progress"));
    // what fails by waiting takes too long for every build
    for (String cell : List.of("cut", "elicitation", "cancel")) {
      if (row.cell(cell).orElseThrow().getBoolean("ok")) {
        cells.add(cell);
      }
    }
    cells.addAll(List.of("expired", "close"));
    Map<String, JsonObject> measured = meet(MatrixGateway.open(), client, cells);
    for (String cell : cells) {
      JsonObject came = measured.get(cell);
      assertEquals(row.outcome(cell), MatrixCells.outcome(cell, came), () -> cell + came.encode());
    }
  }

  /** The other modes are in the whole matrix. */
  @ParameterizedTest
  @MethodSource("clients")
  void clientIsServedWithoutSessionsAndWithKey(MatrixPeer client) throws Exception {
    List<String> cells = List.of("initialise", "list", "progress", "close");
    meet(MatrixGateway.open().stateless().apiKey(), client, cells)
        .forEach((cell, came) -> assertTrue(came.getBoolean("ok"), () -> cell + came.encode()));
  }

  private static Map<String, JsonObject> meet(
      MatrixGateway config, MatrixPeer client, List<String> cells) throws Exception {
    List<String> server = MatrixPeers.newest().server(ledger.file(), "--stdio");
    try (EmbeddedGateway gateway =
        EmbeddedGateway.start(config.hocon() + Hocon.stdio("matrix", server))) {
      MatrixRow.Target target =
          new MatrixRow.Target(gateway.port(), "/mcp", config.headers(), ledger, () -> {});
      return MatrixRow.run(client, target, cells);
    }
  }
}
