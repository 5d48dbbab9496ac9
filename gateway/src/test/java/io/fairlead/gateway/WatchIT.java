package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The configuration is edited, well and badly, while a session and a call are open: both must be
 * unharmed at the end of every test.
 */
class WatchIT {
  private static final String A = "backends.a.type = local\n";
  private static final String LIST = McpSession.request("9", "tools/list", "{}");

  private final ScriptedBackend a = new ScriptedBackend("a");
  private final ScriptedBackend b = new ScriptedBackend("b");
  private WatchedGateway gateway;
  private McpSession session;
  private McpSocket running;
  private OpenCall call;
  private int links;

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void start() throws Exception {
    file = Files.writeString(directory.resolve("gateway.conf"), A);
    gateway = WatchedGateway.start(file, a, b);
    session = McpSession.open(gateway.port());
    running = session.post(McpSession.call("1"));
    call = a.nextCall();
    links = a.links.size();
  }

  @AfterEach
  void nothingIsLost() throws Exception {
    try {
      call.answer("unharmed");
      assertTrue(running.message().data().contains("unharmed"));
      assertEquals(links, a.links.size(), "an unchanged backend was connected again");
      assertTrue(a.isQuiet(), "executed twice");
    } finally {
      gateway.close();
    }
  }

  private String tools() throws IOException {
    try (McpSocket post = session.post(LIST)) {
      return post.body();
    }
  }

  /** Refused, said once with its place, and mended. */
  private void refusesOnce(String text, String... said) throws Exception {
    gateway.write(text);
    mendsAfter(said);
  }

  private void mendsAfter(String... said) throws Exception {
    String line = gateway.said("configuration refused, the one in force stays");
    for (String part : said) {
      assertTrue(line.contains(part), line);
    }
    assertEquals(1, line.lines().count(), line);
    assertTrue(tools().contains("\"t\""));
    // more looks at the same text say nothing; that they happened shows when it is mended
    gateway.write(A + "limits.calls = 77");
    gateway.said("configuration applied: settings=limits");
    assertEquals(1, gateway.times("refused"));
  }

  @Test
  void addedBackendIsThereAndRemovedOneIsNot() throws Exception {
    gateway.write(A + "backends.b.type = local");
    gateway.said("INFO configuration applied: added=b");
    TestGateway.until("b is listed", () -> listed("b__t"));
    gateway.write(A);
    gateway.said("INFO configuration applied: removed=b");
    assertFalse(listed("b__t"));
  }

  private boolean listed(String name) {
    try {
      return tools().contains('"' + name + '"');
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void includedFilesAreWatchedToo() throws Exception {
    Path included = Files.createDirectory(directory.resolve("parts")).resolve("limits.conf");
    Files.writeString(included, "limits.calls = 5");
    gateway.write(A + "include \"parts/limits.conf\"");
    gateway.said("applied: settings=limits");
    WatchedGateway.write(included, "sessions.max = 5");
    gateway.said("applied: settings=sessions,limits");
    WatchedGateway.write(included, "sessions { maxx = 5 }");
    String refused = gateway.said("refused");
    assertTrue(refused.contains(included + ":1: sessions.maxx: is not known"), refused);
  }

  @Test
  void syntaxErrorIsRefusedWithItsPlace() throws Exception {
    refusesOnce(A + "limits {\n  calls = ", file + ":");
  }

  @Test
  void unknownKeyIsRefusedWithItsPlace() throws Exception {
    refusesOnce(A + "limits.callz = 1", file + ":2: limits.callz: is not known");
  }

  @Test
  void includeLoopIsRefused() throws Exception {
    refusesOnce(A + "include \"gateway.conf\"", file.toString(), "cycle");
  }

  @Test
  void endlessNestingIsRefused() throws Exception {
    refusesOnce("a = " + "[".repeat(100_000), file + ": is nested too deeply to be read");
  }

  @Test
  void localBackendWithoutToolsIsRefused() throws Exception {
    refusesOnce(A + "backends.c.type = local", "backends.c: type=local");
  }

  @Test
  void deletedFileIsRefused() throws Exception {
    Files.delete(file);
    mendsAfter(file + ": cannot be read");
  }

  @Test
  void fileThatBecameADirectoryIsRefused() throws Exception {
    Files.delete(file);
    Files.createDirectory(file);
    String refused = gateway.said("refused");
    assertTrue(refused.contains(file + ": is not a regular file, kind=directory"), refused);
    Files.delete(file);
    gateway.write(A + "limits.calls = 77");
    gateway.said("configuration applied: settings=limits");
  }

  /** Nobody writes into it: to open it would be the last that is read. */
  @Test
  void fileThatBecameAPipeIsRefused() throws Exception {
    Files.delete(file);
    pipe(file);
    mendsAfter(file + ": is not a regular file, kind=other");
  }

  @Test
  void includedPipeIsRefused() throws Exception {
    Path included = directory.resolve("parts.conf");
    pipe(included);
    refusesOnce(A + "include \"parts\"", file.toString(), "not a regular one, value=" + included);
  }

  private static void pipe(Path path) throws Exception {
    Process made = new ProcessBuilder("mkfifo", path.toString()).inheritIO().start();
    assertEquals(0, made.waitFor());
  }

  @Test
  void binaryFileIsRefused() throws Exception {
    Files.write(file, new byte[] {0, (byte) 0xff, (byte) 0xfe, '{', 0, 1});
    mendsAfter(file.toString());
  }

  /** What was in it would otherwise count as removed. */
  @Test
  void vanishedIncludeIsRefusedUntilItIsBack() throws Exception {
    Path included = Files.writeString(directory.resolve("b.conf"), "backends.b.type = local");
    gateway.write(A + "include \"b.conf\"");
    gateway.said("applied: added=b");
    Files.delete(included);
    String refused = gateway.said("refused");
    assertTrue(refused.contains(included + ": is included and has vanished"), refused);
    WatchedGateway.write(included, "backends.b.type = local");
    gateway.said("applied: nothing differs");
    Files.writeString(included, "");
    TestGateway.until("an emptied one too", () -> gateway.times("or has become empty") == 2);
    assertEquals(0, gateway.times("removed"));
    Files.delete(included);
    gateway.write(A);
    gateway.said("applied: removed=b");
  }

  /** Truncated before it is written, or by a full disk: that removes no backend. */
  @Test
  void emptiedFileIsRefused() throws Exception {
    Files.writeString(file, "");
    mendsAfter(file + ": holds no key");
  }

  @Test
  void fileOfCommentsAloneIsRefused() throws Exception {
    refusesOnce("# nothing yet\n\n{}", file + ": holds no key");
  }

  /** Nothing of what it holds in between is taken for the whole. */
  @Test
  void fileThatIsWrittenSlowlyIsAppliedWhenItIsWhole() throws Exception {
    byte[] text = (A + "limits.calls = 88\n").getBytes(StandardCharsets.UTF_8);
    try (var out = Files.newOutputStream(file)) {
      for (byte one : text) {
        out.write(one);
        out.flush();
        Thread.onSpinWait();
      }
    }
    gateway.said("applied: settings=limits");
    assertEquals(0, gateway.times("removed=a"));
  }

  /** A command is looked for when it is started, now as at the start of the gateway. */
  @Test
  void vanishedCommandIsABackendThatIsDown() throws Exception {
    gateway.write(A + "backends.gone { type = stdio, command = [\"/nowhere/gone\"] }");
    gateway.said("applied: added=gone");
    TestGateway.until("it is down", () -> ready().contains("\"gone\":{\"state\":\"down\""));
    assertTrue(ready().contains("\"a\":{\"state\":\"up\"}"), ready());
    assertTrue(listed("a__t"));
    gateway.write(A);
    gateway.said("applied: removed=gone");
  }

  private String ready() {
    try (McpSocket page = McpSocket.send(gateway.port(), "GET", "/readyz", "")) {
      return page.body();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void keysThatNeedARestartAreNamedOnce() throws Exception {
    String restart = A + "sessions.mode = stateless, listen.path = \"/other\"\n";
    gateway.write(restart + "limits.calls = 5");
    gateway.said("applied: settings=limits");
    gateway.said("WARN keys=listen.path,sessions.mode changed and keep their values until");
    gateway.write(restart + "limits.calls = 6");
    TestGateway.until("it is applied", () -> gateway.times("applied: settings=limits") == 2);
    assertEquals(1, gateway.times("WARN"));
  }

  /** One sentence, and it is true: nothing was applied. */
  @Test
  void keysThatNeedARestartAloneAreAllThatIsSaid() throws Exception {
    String said =
        "WARN keys=listen.path changed and keep their values until the gateway is restarted;"
            + " nothing else differs";
    gateway.write(A + "listen.path = \"/other\"");
    gateway.said(said);
    gateway.readAgain(1);
    TestGateway.until("it is said again when asked for", () -> gateway.times(said) == 2);
    gateway.write(A + "limits.callz = 1");
    gateway.said("refused");
    gateway.write(A + "listen.path = \"/other\"");
    TestGateway.until("it is said when it is mended", () -> gateway.times(said) == 3);
    assertEquals(0, gateway.times("applied"));
  }

  @Test
  void keySetThatCannotBeFetchedIsTriedAgainAndSaidOnce() throws Exception {
    int port;
    try (ServerSocket unused = new ServerSocket(0)) {
      port = unused.getLocalPort();
    }
    gateway.write(
        A
            + """
            auth { mode = jwt, resource = "http://127.0.0.1/mcp", jwt {
              issuer = "http://127.0.0.1", jwks-url = "http://127.0.0.1:%d/keys" } }
            """
                .formatted(port));
    String refused = gateway.said("refused");
    assertTrue(refused.contains("and this one is tried again"), refused);
    try (ServerSocket server = new ServerSocket(port)) {
      server.setSoTimeout(10_000);
      // that somebody asks shows that it is tried again
      server.accept().close();
    }
    assertEquals(1, gateway.times("refused"));
    gateway.write(A);
    gateway.said("applied: nothing differs");
  }

  /** Asked for by a signal: the answer is said each time, whatever it is. */
  @Test
  void reloadAtOnceSaysWhatCameOfIt() throws Exception {
    gateway.readAgain(1);
    assertEquals(1, gateway.times("applied: nothing differs"));
    gateway.write(A + "limits.callz = 1");
    gateway.said("refused");
    gateway.readAgain(2);
    assertTrue(gateway.times("refused") >= 3);
    gateway.write(A);
    TestGateway.until("it is mended", () -> gateway.times("applied: nothing differs") == 2);
  }

  @Test
  void onlyTheLatestOfManyEditsMatters() throws Exception {
    for (int i = 100; i < 150; i++) {
      gateway.write(A + "limits.calls = " + i);
      gateway.reload();
    }
    GatewayVerticle verticle = gateway.verticle();
    TestGateway.until("the last is in force", () -> verticle.parts() != null && calls() == 149);
    assertEquals(List.of(), a.closed);
  }

  private int calls() {
    var read = new java.util.concurrent.CompletableFuture<Integer>();
    var parts = gateway.verticle().parts();
    parts
        .services()
        .loop()
        .execute(() -> read.complete(parts.services().config().limits().calls()));
    return read.join();
  }
}
