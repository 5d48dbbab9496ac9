package io.fairlead.gateway.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is read, from where, and which source wins. */
class ConfigLoaderTest {
  private static final String SECRETS =
      """
      backends {
        a { type = http, url = "http://h/mcp?key=canary", headers { Authorization = canary } }
        b { type = stdio, command = [run], env { TOKEN = canary } }
      }
      backend-defaults { http.headers.X = canary, stdio.env.X = canary }
      """;

  @Test
  void defaultsAreThoseOfTheContractWhenNothingIsConfigured() {
    GatewayConfig config = ConfigLoader.defaults();
    assertEquals("127.0.0.1", config.listen().host());
    assertEquals(8080, config.listen().port());
    assertEquals("/mcp", config.listen().path());
    assertEquals(10000, config.sessions().max());
    assertEquals(Duration.ofMinutes(30), config.sessions().idleTimeout());
    assertEquals(16 << 20, config.events().maxBytesPerSession());
    assertEquals(4 << 20, config.limits().body());
    assertEquals(Optional.empty(), config.limits().streamAge());
    assertEquals(Duration.ofSeconds(15), config.drain());
    assertFalse(config.management().enabled());
    assertEquals(
        Map.of("demo", new BackendConfig.Local(Optional.empty(), Optional.empty())),
        config.backends());
  }

  @Test
  void includeIsFoundWhenItsFileIsNamedWithoutADirectory() throws IOException {
    Path including = Files.createTempFile(Path.of(""), "including", ".conf");
    Path included = Files.createTempFile(Path.of(""), "included", ".conf");
    try {
      Files.writeString(included, "max = 7");
      Files.writeString(including, "sessions { include required(\"" + included + "\") }");
      assertNull(including.getParent());
      ConfigResult result = ConfigLoader.load(Optional.of(including), Map.of());
      assertEquals(7, result.orElseThrow().sessions().max());
    } finally {
      Files.delete(including);
      Files.delete(included);
    }
  }

  /** lifecycle 95: what others can reach asks who they are, unless the operator says otherwise. */
  @Test
  void addressThatIsNotLoopbackNeedsAuthenticationOrAWordForIt() {
    String open = "listen.host = \"0.0.0.0\"\n";
    assertThrows(InvalidConfig.class, () -> ConfigLoader.parse(open).orElseThrow());
    assertFalse(
        ConfigLoader.parse(open + "auth.allow-anonymous = true")
            .orElseThrow()
            .listen()
            .isLoopback());
  }

  @Test
  void eventBytesAreAnEighthOfTheHeapWhenAuto() {
    assertEquals(Runtime.getRuntime().maxMemory() / 8, ConfigLoader.defaults().events().maxBytes());
  }

  @Test
  void demoIsAbsentWhenAnotherBackendIsConfigured() {
    GatewayConfig config =
        ConfigLoader.parse("backends.a { type = http, url = \"http://h/mcp\" }").orElseThrow();
    assertEquals(List.of("a"), List.copyOf(config.backends().keySet()));
  }

  @Test
  void demoIsServedWhenBackendsAreEmpty() {
    assertEquals(
        List.of("demo"),
        List.copyOf(ConfigLoader.parse("backends {}").orElseThrow().backends().keySet()));
  }

  @Test
  void overrideWinsWhenTheFileSaysSomethingElse() {
    Path file = Path.of("src/test/resources/io/fairlead/gateway/config/golden/all-types.conf");
    GatewayConfig config =
        ConfigLoader.load(
                Optional.of(file),
                Map.of(
                    "sessions.max", "7",
                    "listen.allowed-hosts", "[a.example.com, b.example.com]",
                    "backends.search.url", "http://127.0.0.1:9/mcp"))
            .orElseThrow();
    assertEquals(7, config.sessions().max());
    assertEquals(List.of("a.example.com", "b.example.com"), config.listen().allowedHosts());
    assertTrue(config.backends().get("search").toString().contains("http://127.0.0.1:9/mcp"));
  }

  @Test
  void overrideIsNamedAsPlaceWhenItIsRefused() {
    assertEquals(
        List.of(
            "command line: listen.port: is not a whole number, value=x; write digits only",
            "command line: sessions.maxx: is not known; did you mean max?"),
        problems(Map.of("listen.port", "x", "sessions.maxx", "1")));
  }

  @Test
  void overrideIsRefusedWhenItsKeyIsNone() {
    assertEquals(
        List.of(
            "command line: path parameter: Invalid path 'a..b': path has a leading, trailing, or two"
                + " adjacent period '.' (use quoted \"\" empty string if you want an empty element);"
                + " correct the text there"),
        problems(Map.of("a..b", "1")));
  }

  @Test
  void fileIsRefusedWhenItDoesNotExist() {
    ConfigResult result = ConfigLoader.load(Optional.of(Path.of("absent.conf")), Map.of());
    assertEquals(
        "absent.conf: cannot be read; name an existing file that this user may read",
        assertThrows(InvalidConfig.class, result::orElseThrow).getMessage());
  }

  /** However deep, the answer is one: that of the reader of sections, or of what ran out. */
  @Test
  void nestingIsRefusedInOneLineHoweverDeep() {
    Map<String, String> brackets = Map.of("[", "]", "{ b = ", "}", "a.", "");
    brackets.forEach(
        (open, close) -> {
          for (int depth = 100; depth <= 100_000; depth *= 10) {
            String nested = open.repeat(depth) + "1" + close.repeat(depth);
            ConfigResult result =
                ConfigLoader.parse(close.isEmpty() ? nested + " = 1" : "a = " + nested);
            String text = result.fold(accepted -> "accepted", ConfigResult.Refused::text);
            assertEquals(1, text.lines().count(), open + depth);
            assertTrue(text.startsWith("configuration:"), open + depth + ": " + text);
          }
        });
  }

  @Test
  void variableOfTheEnvironmentIsReadWhenSubstituted() {
    String home = System.getenv("PATH");
    GatewayConfig config =
        ConfigLoader.parse(
                "backends.a { type = stdio, command = [${?PATH}, ${?NO_SUCH_VARIABLE_HERE}] }")
            .orElseThrow();
    assertEquals(
        Optional.of(List.of(home)),
        config
            .backends()
            .get("a")
            .<Optional<List<String>>>fold(
                local -> Optional.empty(),
                http -> Optional.empty(),
                stdio -> Optional.of(stdio.command()),
                eventBus -> Optional.empty()));
  }

  @Test
  void hostApplicationIsUndisturbedWhenItHasAReferenceOfItsOwn() {
    System.setProperty("sessions.max", "3");
    try {
      ConfigFactory.invalidateCaches();
      Config theirs = ConfigFactory.load();
      assertTrue(theirs.hasPath("host-application"));
      assertFalse(theirs.hasPath("shutdown.drain"));
      assertEquals(8080, ConfigLoader.defaults().listen().port());
      assertEquals(10000, ConfigLoader.defaults().sessions().max());
    } finally {
      System.clearProperty("sessions.max");
      ConfigFactory.invalidateCaches();
    }
  }

  @Test
  void secretsAreMaskedWhenShown() {
    String shown =
        ConfigLoader.parse(SECRETS)
            .fold(accepted -> accepted.print() + accepted.config(), ConfigResult.Refused::text);
    assertTrue(shown.contains("Authorization") && shown.contains("TOKEN"), shown);
    assertFalse(shown.contains("canary"), shown);
  }

  @Test
  void printedConfigurationReadsAsTheSameWhenItHoldsNoSecret() {
    ConfigLoader.parse("sessions.max = 12, backends.a { type = stdio, command = [x, \"y z\"] }")
        .fold(
            accepted -> {
              assertEquals(accepted.config(), ConfigLoader.parse(accepted.print()).orElseThrow());
              return true;
            },
            refused -> {
              throw new AssertionError(refused.text());
            });
  }

  private static List<String> problems(Map<String, String> overrides) {
    return ConfigLoader.load(Optional.empty(), overrides)
        .fold(
            accepted -> List.of(),
            refused -> refused.problems().stream().map(ConfigProblem::toString).toList());
  }
}
