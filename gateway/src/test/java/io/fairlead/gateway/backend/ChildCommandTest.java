package io.fairlead.gateway.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** lifecycle 109: what a child sees of the gateway's environment. */
class ChildCommandTest {

  @Test
  void secretsOfTheGatewayAreLeftOut() {
    Map<String, String> gateway =
        Map.of("PATH", "/bin", "HOME", "/root", "API_KEY", "canary", "LD_PRELOAD", "canary");
    assertEquals(
        Map.of("PATH", "/bin", "HOME", "/root"), ChildCommand.environment(gateway, Map.of()));
  }

  @Test
  void configuredVariablesWin() {
    assertEquals(
        Map.of("PATH", "/own", "TOKEN", "t"),
        ChildCommand.environment(
            Map.of("PATH", "/bin", "TOKEN", "no"), Map.of("PATH", "/own", "TOKEN", "t")));
  }
}
