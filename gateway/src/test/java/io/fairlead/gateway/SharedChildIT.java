package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fairlead.wire.Envelope;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two principals behind one child process: what it says for one does not reach the other. */
class SharedChildIT {
  private static final String ALICE = "X-Api-Key: key-of-alice-0123456789";
  private static final String BOB = "X-Api-Key: key-of-bob-0123456789";
  private static final String KEYS =
      """
      auth { mode = api-key, api-keys { alice = key-of-alice-0123456789, bob = key-of-bob-0123456789 } }
      management { enabled = true, port = 0 }
      """;

  private TestGateway gateway;

  private void start(String hocon) throws Exception {
    String command =
        """
        backends.child.type = stdio
        backends.child.command = ["%s", "-Xmx64m", "-XX:TieredStopAtLevel=1", "-cp", "%s", "%s"]
        """
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                place(SharedChildIT.class) + File.pathSeparator + place(Envelope.class),
                "io.fairlead.gateway.backend.ScriptedServer");
    gateway = TestGateway.start(KEYS + command + hocon);
    TestGateway.until("the child is up", this::isUp);
  }

  private boolean isUp() {
    return gateway.read(parts -> parts.services().catalog().state("child").isUp());
  }

  private static Path place(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  private static String call(String id, String tool) {
    return McpSession.request(id, "tools/call", "{\"name\":\"" + tool + "\",\"arguments\":{}}");
  }

  /** Alice's tool logs, and asks, when Bob's call reaches the child. */
  private void nothingReachesBob(McpSocket alices, McpSocket bobs) throws Exception {
    String alice = alices.message().data();
    assertTrue(alice.contains("\"refused unattributed\""), alice);
    assertTrue(
        gateway.read(TestGateway::scrape).contains("fairlead_unattributed_total 2.0"),
        "what nobody gets is counted");
    gateway.drain();
    List<McpSocket.Event> bob = bobs.rest();
    assertEquals(1, bob.size(), bob.toString());
    assertTrue(bob.get(0).data().contains("io.fairlead/outcome"), bob.toString());
  }

  @Test
  @DisplayName("streams 25, lifecycle 86: with scope=shared a client is asked nothing of another's")
  void sharedChildOfTwoPrincipals() throws Exception {
    start("backends.child.scope = shared");
    McpSession alice = McpSession.open(gateway.port(), "/mcp", "2025-11-25", ALICE);
    McpSession bob = McpSession.open(gateway.port(), "/mcp", "2025-11-25", BOB);
    McpSocket alices = alice.post(call("1", "ask-at-hold"), ALICE);
    TestGateway.until("her call is there", () -> inFlight() == 1);
    nothingReachesBob(alices, bob.post(call("1", "hold"), BOB));
  }

  @Test
  @DisplayName("streams 25, lifecycle 86: in stateless mode a client gets nothing of another's")
  void statelessChildOfTwoPrincipals() throws Exception {
    start("sessions.mode = stateless");
    String accept = "Accept: " + McpSocket.BOTH;
    McpSocket alices = gateway.send("POST", call("1", "ask-at-hold"), ALICE, accept);
    TestGateway.until("her call is there", () -> inFlight() == 1);
    nothingReachesBob(alices, gateway.send("POST", call("1", "hold"), BOB, accept));
  }

  private int inFlight() {
    return gateway.holdings().calls();
  }
}
