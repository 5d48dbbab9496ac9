package io.fairlead.gateway.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Published servers behind one gateway, driven by published clients. */
@NeedsNode
class NpmBackendsIT {
  static final String EVERYTHING =
      "node_modules/@modelcontextprotocol/server-everything/dist/index.js";
  private static final String FILES =
      "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js";

  @TempDir static Path directory;
  private static Ledger ledger;
  private static NodeProcess everything;
  private static NodeProcess bookkeeper;
  private static EmbeddedGateway gateway;

  @BeforeAll
  static void start() throws Exception {
    int port = NodeProcess.freePort();
    everything =
        NodeProcess.start(
            Map.of("PORT", String.valueOf(port)), line -> {}, EVERYTHING, "streamableHttp");
    ledger = Ledger.in(directory);
    int bookPort = NodeProcess.freePort();
    bookkeeper = NodeProcess.start("ledger.mjs", ledger.file(), "--http", bookPort);
    gateway =
        EmbeddedGateway.start(
            Hocon.http("web", everything.awaitPort(port))
                + Hocon.http("book", bookkeeper.awaitPort(bookPort))
                + Hocon.stdio("child", EVERYTHING, "stdio")
                + Hocon.stdio("journal", "ledger.mjs", ledger.file(), "--stdio")
                + Hocon.stdio("files", FILES, directory));
  }

  @AfterAll
  static void stop() {
    gateway.close();
    everything.close();
    bookkeeper.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v2"})
  void typeScriptClientUsesAllBackendsAtOnce(String version) throws Exception {
    JsonObject plan =
        plan()
            .put("everything", List.of("web__", "child__"))
            .put("files", List.of("files__"))
            .put("ledger", List.of("book__", "journal__"));
    assertJourneySucceeds(version, gateway.url(), plan);
  }

  @ParameterizedTest
  @CsvSource({"web, everything", "child, everything", "files, files", "book, ledger"})
  void typeScriptClientUsesEachBackendAlone(String backend, String kind) throws Exception {
    assertJourneySucceeds("v1", gateway.url(backend), plan().put(kind, List.of("")));
  }

  @Test
  void javaClientUsesAllBackendsAtOnce() {
    JavaJourney.run(gateway.url(), List.of("web__", "child__"), directory);
  }

  @Test
  void javaClientUsesOneBackendAlone() {
    JavaJourney.run(gateway.url("web"), List.of(""), directory);
  }

  private static JsonObject plan() {
    return new JsonObject()
        .put("directory", directory.toString())
        .put("ledgerFile", ledger.file().toString());
  }

  private static void assertJourneySucceeds(String version, String url, JsonObject plan)
      throws InterruptedException {
    try (NodeProcess client = NodeProcess.start("journey.mjs", version, url, plan.encode())) {
      List<String> steps = client.awaitEnd(Duration.ofSeconds(60));
      assertEquals(0, client.exitCode(), client::output);
      assertTrue(steps.size() > 3, client::output);
    }
  }
}
