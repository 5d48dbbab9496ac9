package io.fairlead.gateway.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What of a new configuration is applied, and what needs a restart. */
class ConfigChangeTest {
  private static final String A = "backends.a { type = http, url = \"http://127.0.0.1:1/mcp\" }\n";
  private static final String B = "backends.b { type = stdio, command = [b] }\n";

  private static ConfigChange between(String now, String next) {
    return ConfigChange.between(
        ConfigLoader.parse(now).orElseThrow(), ConfigLoader.parse(next).orElseThrow());
  }

  @Test
  void sameTextIsNoChange() {
    ConfigChange change = between(A + B, B + "# a comment\n" + A);
    assertTrue(change.isEmpty());
    assertEquals(List.of(), change.needRestart());
    assertEquals("nothing differs", change.toString());
  }

  @Test
  void backendsAreToldApartByTheirConfiguration() {
    ConfigChange change =
        between(
            A + B, B + "backends.b.max-children = 2\nbackends.c { type = stdio, command = [c] }");
    assertEquals(Set.of("c"), change.added());
    assertEquals(Set.of("a"), change.removed());
    assertEquals(Set.of("b"), change.replaced());
    assertEquals("added=c removed=a replaced=b", change.toString());
    assertFalse(change.isEmpty());
  }

  @Test
  void demoGoesWhenAnotherBackendIsConfigured() {
    assertEquals("added=a removed=demo", between("", A).toString());
  }

  @Test
  void backendDefaultsReachTheBackendsOfTheirType() {
    ConfigChange change = between(A + B, A + B + "backend-defaults.stdio.max-children = 3");
    assertEquals(Set.of("b"), change.replaced());
  }

  @Test
  void changedSettingsAreInForceAndNamedBySection() {
    ConfigChange change =
        between(
            "",
            """
            sessions.max = 7, limits.body = 1KiB, events.ttl = 1m, shutdown.drain = 1s
            listen.allowed-origins = ["https://app.example.com"]
            auth { mode = api-key, api-keys { k = "0123456789abcdef" } }
            """);
    assertEquals(
        List.of("listen", "sessions", "events", "limits", "shutdown", "auth"), change.settings());
    assertEquals(7, change.effective().sessions().max());
    assertEquals(1024, change.effective().limits().body());
    assertEquals(1, change.effective().listen().allowedOrigins().size());
    assertEquals(List.of(), change.needRestart());
  }

  @Test
  void keysOfTheStartKeepTheirValuesAndAreNamed() {
    ConfigChange change =
        between(
            "",
            """
            listen { host = "::1", port = 1234, path = "/other" }
            sessions { mode = stateless, max = 7 }
            management { enabled = true, host = "::1", port = 1235 }
            reload.period = 1m
            """);
    assertEquals(
        List.of(
            "listen.host",
            "listen.port",
            "listen.path",
            "sessions.mode",
            "management.enabled",
            "management.host",
            "management.port",
            "reload.period"),
        change.needRestart());
    assertEquals(List.of("sessions"), change.settings());
    GatewayConfig defaults = ConfigLoader.defaults();
    assertEquals(defaults.listen(), change.effective().listen());
    assertTrue(change.effective().sessions().stateful());
    assertEquals(7, change.effective().sessions().max());
    assertEquals(defaults.management(), change.effective().management());
  }

  /**
   * The next configuration binds loopback, but the gateway goes on to be bound to all addresses.
   */
  @Test
  void whatIsUnsafeBesideTheBoundAddressIsRefused() {
    String open =
        "listen.host = \"0.0.0.0\", auth { mode = api-key, api-keys { k = \"0123456789abcdef\" } }";
    InvalidConfig refused = assertThrows(InvalidConfig.class, () -> between(open, ""));
    assertTrue(refused.getMessage().contains("listen.host"), refused::getMessage);
  }
}
