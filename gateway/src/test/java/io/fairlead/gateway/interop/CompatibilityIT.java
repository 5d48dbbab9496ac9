package io.fairlead.gateway.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
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
  private static final MatrixGateway CONFIG = MatrixGateway.open();

  @TempDir static Path directory;
  private static Ledger ledger;
  private static EmbeddedGateway gateway;

  @BeforeAll
  static void startGateway() {
    ledger = Ledger.in(directory);
    List<String> server = MatrixPeers.newest().server(ledger.file(), "--stdio");
    gateway = EmbeddedGateway.start(CONFIG.hocon() + Hocon.stdio("matrix", server));
  }

  static List<MatrixPeer> clients() throws IOException {
    return MatrixPeers.present();
  }

  @AfterAll
  static void closeGateway() {
    gateway.close();
  }

  /** The other modes are in the whole matrix. */
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
    MatrixRow.Target target =
        new MatrixRow.Target(gateway.port(), "/mcp", CONFIG.headers(), ledger, () -> {});
    Map<String, JsonObject> measured = MatrixRow.run(client, target, cells);
    for (String cell : cells) {
      JsonObject came = measured.get(cell);
      assertEquals(row.outcome(cell), MatrixCells.outcome(cell, came), () -> cell + came.encode());
    }
  }
}
