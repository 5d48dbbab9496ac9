package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PfxOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bridge as a process, in front of a server that is not a gateway, and not polite. */
class BridgeStubIT {
  @TempDir Path directory;

  private static void assertNoted(StubServer server, String verb, String method, int count) {
    TestGateway.until(
        verb + " " + method + " arrived", () -> server.asked(verb, method).size() >= count);
  }

  @ParameterizedTest(name = "streams 44: a server that answers no DELETE holds up no end, {0}")
  @ValueSource(strings = {"stdin", "SIGTERM", "SIGINT"})
  void processEndsWhenServerIsSilent(String how) throws Exception {
    try (StubServer server = StubServer.plain();
        BridgeProcess bridge = BridgeProcess.ready(server.port(), "--drain-timeout", "1s")) {
      bridge.send(McpSession.call("1"));
      bridge.next(message -> "notifications/x".equals(message.getString("method")));
      long start = System.nanoTime();
      if (how.equals("stdin")) {
        bridge.closeStdin();
      } else {
        bridge.signal(Signal.valueOf(how.substring(3)));
      }
      assertEquals(0, bridge.exitCode(6));
      Duration took = Duration.ofNanos(System.nanoTime() - start);
      assertTrue(took.compareTo(Duration.ofSeconds(5)) <= 0, "took=" + took);
      assertEquals(1, server.asked("POST", "notifications/cancelled").size());
      assertEquals(1, server.asked("DELETE", "").size());
      assertTrue(bridge.isQuiet());
    }
  }

  @Test
  @DisplayName("streams 44: a killed parent takes it along, and its session")
  void processEndsWhenItsParentIsKilled() throws Exception {
    try (StubServer server = StubServer.plain();
        BridgeProcess parent =
            BridgeProcess.startWithParent("http://127.0.0.1:" + server.port() + "/mcp")) {
      parent.handshake();
      ProcessHandle bridge = parent.children().get(0);
      try {
        assertTrue(bridge.isAlive());
        long start = System.nanoTime();
        parent.kill();
        TestGateway.until("the bridge has ended", () -> Ended.hasEnded(bridge));
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        assertTrue(took.compareTo(Duration.ofSeconds(5)) <= 0, "took=" + took);
        assertEquals(1, server.asked("DELETE", "").size());
      } finally {
        bridge.destroyForcibly();
      }
    }
  }

  @Test
  @DisplayName("streams 50: a call is resumed after a sleep in which its connections went away")
  void callIsResumedAfterSleep() throws Exception {
    try (StubServer server = StubServer.plain();
        BridgeProcess bridge = BridgeProcess.ready(server.port(), "--probe-interval", "200ms")) {
      bridge.send(McpSession.call("1"));
      bridge.next(message -> "notifications/x".equals(message.getString("method")));
      bridge.signal(Signal.STOP);
      try {
        server.cut();
        // longer than three probes, and their bound, may take
        LockSupport.parkNanos(Duration.ofMillis(3000).toNanos());
      } finally {
        bridge.signal(Signal.CONT);
      }
      JsonObject answer = bridge.answer(1);
      assertEquals(true, answer.getJsonObject("result").getBoolean("resumed"), answer::encode);
      assertEquals(1, server.asked("POST", "tools/call").size());
      assertEquals(
          "a", server.asked("GET", "").stream().skip(1).findFirst().orElseThrow().cursor());
    }
  }

  @Test
  @DisplayName("contract: --bearer-file is read anew for each connection")
  void tokenIsReadAnew() throws Exception {
    Path token = Files.writeString(directory.resolve("token"), "first\n");
    try (StubServer server = StubServer.plain();
        BridgeProcess bridge =
            BridgeProcess.ready(server.port(), "--bearer-file", token.toString())) {
      assertEquals("Bearer first", server.asked("POST", "initialize").get(0).authorization());
      Files.writeString(token, "second\n");
      bridge.send(McpSession.call("1"));
      assertNoted(server, "POST", "tools/call", 1);
      assertEquals("Bearer second", server.asked("POST", "tools/call").get(0).authorization());
      assertFalse(bridge.log().contains("second"), bridge::log);
    }
  }

  @Test
  @DisplayName(
      "contract: --ca-file trusts these authorities, --insecure any; without, none is used")
  void certificateIsCheckedAsAskedFor() throws Exception {
    Path store = directory.resolve("key.p12");
    Path authority = directory.resolve("ca.pem");
    keytool(
        "-genkeypair -keyalg EC -dname CN=localhost -ext san=dns:localhost -storetype PKCS12",
        store);
    keytool("-exportcert -rfc -file " + authority, store);
    PfxOptions key = new PfxOptions().setPath(store.toString()).setPassword("secret");
    try (StubServer server = StubServer.tls(key)) {
      String name = "https://localhost:" + server.port() + "/mcp";
      String address = "https://127.0.0.1:" + server.port() + "/mcp";
      assertRefused(name, "--start-timeout", "6s");
      assertRefused(address, "--start-timeout", "6s", "--ca-file", authority.toString());
      assertEquals(0, server.asked("POST", "initialize").size());
      assertAccepted(name, "--ca-file", authority.toString());
      assertAccepted(address, "--insecure");
      assertEquals(2, server.asked("POST", "initialize").size());
    }
  }

  private static void assertAccepted(String url, String... flags) throws Exception {
    try (BridgeProcess bridge = start(url, flags)) {
      bridge.handshake();
    }
  }

  private static void assertRefused(String url, String... flags) throws Exception {
    try (BridgeProcess bridge = start(url, flags)) {
      bridge.send(BridgeProcess.INITIALIZE);
      String error = bridge.next().getJsonObject("error").getString("message");
      assertTrue(error.contains("TLS failed"), error);
    }
  }

  private static BridgeProcess start(String url, String... flags) throws Exception {
    List<String> all = new ArrayList<>(List.of(url));
    all.addAll(List.of(flags));
    return BridgeProcess.start(List.of(), all.toArray(String[]::new));
  }

  private static void keytool(String what, Path store) throws Exception {
    String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    String command = tool + " " + what + " -alias server -storepass secret -keystore " + store;
    assertEquals(0, new ProcessBuilder(command.split(" ")).inheritIO().start().waitFor());
  }
}
