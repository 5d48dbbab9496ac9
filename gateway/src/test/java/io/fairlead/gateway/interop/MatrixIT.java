package io.fairlead.gateway.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole compatibility matrix: real clients and servers of many versions with the packaged
 * gateway between. Writes {@code target/matrix.json}; with {@code -Dmatrix.write=true} also
 * docs/compatibility.md and the results that it is made of. {@code -Dmatrix.peers=REGEX} and {@code
 * -Dmatrix.tables=REGEX} measure some anew, and keep the rest.
 */
@NeedsNode
@Tag("matrix")
class MatrixIT {
  private static final Path HERE = Path.of(System.getProperty("java.home"));
  private static final String PEERS = System.getProperty("matrix.peers", "");
  private static final String TABLES = System.getProperty("matrix.tables", "");
  private static final List<String> CLIENT =
      List.of("initialise", "list", "progress", "cut", "elicitation", "cancel", "expired", "close");
  private static final List<String> ABSENT = List.of("initialise", "idle", "offline", "close");
  private static final List<String> BACKEND =
      List.of("initialise", "list", "progress", "cut", "elicitation", "cancel", "died", "close");
  private static final List<String> MODE = List.of("initialise", "list", "progress", "close");

  private final List<String> ranTwice = new ArrayList<>();
  @TempDir Path directory;
  private Ledger ledger;
  private MatrixResults results;
  private List<MatrixPeer> peers;

  @BeforeEach
  void openLedger() {
    ledger = Ledger.in(directory);
  }

  @Test
  void everyClientAndServerIsMeasured() throws Exception {
    List<Path> jdks = jdks();
    peers = MatrixPeers.all();
    results = PEERS.isEmpty() && TABLES.isEmpty() ? MatrixResults.empty() : MatrixResults.shown();
    noteCircumstances(jdks);
    for (Path jdk : jdks) {
      measureClients("clients on JDK " + feature(jdk), jdk);
      if (jdk.equals(HERE)) {
        measureModes("modes");
      }
      measureBackends("backends on JDK " + feature(jdk), jdk);
    }
    if (Boolean.getBoolean("matrix.write")) {
      CompatibilityPage.of(results).publish();
    }
    assertEquals(List.of(), ranTwice);
  }

  /** The peers that a table is to be measured with. */
  private List<MatrixPeer> peers(String table) {
    Pattern wanted = Pattern.compile(PEERS);
    return Pattern.compile(TABLES).matcher(table).find()
        ? peers.stream().filter(peer -> wanted.matcher(peer.title()).find()).toList()
        : List.of();
  }

  private void measureClients(String table, Path jdk) throws Exception {
    each(
        table,
        peer -> {
          Map<String, JsonObject> cells = new LinkedHashMap<>();
          cells.putAll(meet(MatrixGateway.open(), jdk, peer, CLIENT));
          Map<String, JsonObject> absent = meet(MatrixGateway.shortIdle(), jdk, peer, ABSENT);
          cells.put("idle", absent.get("idle"));
          cells.put("offline", absent.get("offline"));
          return new Rows().with(peer.title(), cells);
        });
  }

  private void measureModes(String table) throws Exception {
    Map<String, MatrixGateway> modes = new LinkedHashMap<>();
    MatrixGateway open = MatrixGateway.open();
    modes.put("stateful", open);
    modes.put("stateful, API key", open.apiKey());
    modes.put("stateful, JWT", open.jwt(directory));
    modes.put("stateless", open.stateless());
    modes.put("stateless, API key", open.stateless().apiKey());
    modes.put("stateless, JWT", open.stateless().jwt(directory));
    each(
        table,
        peer -> {
          Map<String, JsonObject> cells = new LinkedHashMap<>();
          for (Map.Entry<String, MatrixGateway> mode : modes.entrySet()) {
            cells.put(mode.getKey(), sum(meet(mode.getValue(), HERE, peer, MODE)));
          }
          return new Rows().with(peer.title(), cells);
        });
  }

  private void measureBackends(String table, Path jdk) throws Exception {
    each(
        table,
        peer -> {
          Rows rows = new Rows();
          if (!peer.server().isEmpty()) {
            String stdio = Hocon.stdio("matrix", peer.server(ledger.file(), "--stdio"));
            rows.with(peer.title() + ", stdio", serve(stdio, jdk, () -> {}));
          }
          if (peer.http()) {
            try (MatrixServer server = MatrixServer.start(peer, ledger)) {
              String http = Hocon.http("matrix", server.port());
              rows.with(peer.title() + ", HTTP", serve(http, jdk, server::restart));
            }
          }
          return rows;
        });
  }

  /** Measures the peers of a table, two at a time, and notes them in their order. */
  private void each(String table, Measurement measurement) throws Exception {
    ExecutorService two = Executors.newFixedThreadPool(2);
    try {
      List<Future<Rows>> measured = new ArrayList<>();
      for (MatrixPeer peer : peers(table)) {
        measured.add(two.submit(() -> measurement.of(peer)));
      }
      for (Future<Rows> rows : measured) {
        for (Map.Entry<String, Map<String, JsonObject>> row : rows.get().cells.entrySet()) {
          note(table, row.getKey(), row.getValue());
        }
      }
    } finally {
      two.shutdownNow();
    }
  }

  /** What is done with one peer. */
  private interface Measurement {
    Rows of(MatrixPeer peer) throws Exception;
  }

  /** The cells of one or more rows, by their titles. */
  private static final class Rows {
    private final Map<String, Map<String, JsonObject>> cells = new LinkedHashMap<>();

    private Rows with(String title, Map<String, JsonObject> row) {
      cells.put(title, row);
      return this;
    }
  }

  private Map<String, JsonObject> serve(String backend, Path jdk, Runnable restart)
      throws Exception {
    return run(MatrixGateway.open(), backend, jdk, MatrixPeers.newest(), BACKEND, restart);
  }

  private Map<String, JsonObject> meet(
      MatrixGateway config, Path jdk, MatrixPeer client, List<String> cells) throws Exception {
    MatrixPeer server = MatrixPeers.newest();
    String backend = Hocon.stdio("matrix", server.server(ledger.file(), "--stdio"));
    return run(config, backend, jdk, client, cells, () -> {});
  }

  private Map<String, JsonObject> run(
      MatrixGateway config,
      String backend,
      Path jdk,
      MatrixPeer client,
      List<String> cells,
      Runnable restart)
      throws Exception {
    Path place = Files.createTempDirectory(directory, "gateway");
    try (JarGateway gateway =
        JarGateway.start(jdk, place, config.hocon() + backend, NodeProcess.freePort())) {
      return MatrixRow.run(
          client,
          new MatrixRow.Target(gateway.port(), "/mcp", config.headers(), ledger, restart),
          cells);
    }
  }

  /** Whether all went well, and if not, what did not. */
  private static JsonObject sum(Map<String, JsonObject> cells) {
    List<String> failed = new ArrayList<>();
    cells.forEach(
        (name, cell) -> {
          if (!cell.getBoolean("ok") && !cell.getString("note", "").equals("not offered")) {
            failed.add(name + ": " + cell.getString("note"));
          }
        });
    JsonObject sum = new JsonObject().put("ok", failed.isEmpty());
    return failed.isEmpty() ? sum : sum.put("note", String.join("; ", failed));
  }

  private void note(String table, String peer, Map<String, JsonObject> cells) throws IOException {
    results.add(table, peer, cells);
    results.write();
    System.err.println(table + ": " + peer);
    cells.forEach((name, cell) -> System.err.println("  " + name + " " + cell.encode()));
    if (cells.containsKey("cut") && cells.get("cut").getLong("executions") > 1) {
      ranTwice.add(table + ": " + peer);
    }
  }

  private void noteCircumstances(List<Path> jdks) throws IOException {
    List<String> versions = new ArrayList<>();
    for (Path jdk : jdks) {
      versions.add(version(jdk));
    }
    results.put("jdks", String.join(" and ", versions));
    results.put("node", said(NodeModules.node(), "--version"));
    results.put("python", said("python3", "--version"));
    results.put("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
  }

  /** What a program says of its version. */
  private static String said(String... command) throws IOException {
    Process process = new ProcessBuilder(command).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
        .strip()
        .replaceAll("^\\D+", "");
  }

  /** The one that runs this, and JDK 25 where it is installed. */
  private static List<Path> jdks() {
    Path other = Path.of(System.getProperty("matrix.jdk", "/usr/lib/jvm/temurin-25-jdk-amd64"));
    return Files.exists(other) ? List.of(HERE, other) : List.of(HERE);
  }

  private static String feature(Path jdk) throws IOException {
    return version(jdk).replaceAll("\\..*", "");
  }

  private static String version(Path jdk) throws IOException {
    Properties release = new Properties();
    try (Reader reader = Files.newBufferedReader(jdk.resolve("release"))) {
      release.load(reader);
    }
    return release.getProperty("JAVA_VERSION").replace("\"", "");
  }
}
