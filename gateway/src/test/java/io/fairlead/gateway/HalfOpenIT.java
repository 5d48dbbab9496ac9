package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fairlead.gateway.ScriptedBackend.OpenCall;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client whose cable is pulled: its packets go nowhere, and no end of the connection comes. */
class HalfOpenIT {
  private static final String SPACE = "fairlead-half-open";
  private static final String GATEWAY = "10.213.7.1";
  private static final Duration NOTICED = Duration.ofSeconds(100);

  private final ScriptedBackend backend = new ScriptedBackend("demo");
  private TestGateway gateway;

  @AfterEach
  void stop() throws Exception {
    if (gateway != null) {
      gateway.close();
    }
    sh("ip netns del " + SPACE);
  }

  @Test
  @Tag("soak")
  @DisplayName(
      "streams 19, lifecycle 25: a half-open client is noticed by what it does not acknowledge")
  void halfOpenClientIsNoticed() throws Exception {
    Assumptions.assumeTrue(
        sh("ip netns add " + SPACE) == 0
            && sh("ip link add fl0 type veth peer name fl1 netns " + SPACE) == 0
            && sh("ip addr add " + GATEWAY + "/30 dev fl0") == 0
            && sh("ip link set fl0 up") == 0
            && inside("ip addr add 10.213.7.2/30 dev fl1") == 0
            && inside("ip link set fl1 up") == 0,
        "needs root, iproute2 and network namespaces");
    gateway =
        TestGateway.start(
            "listen.host = " + GATEWAY + "\nauth.allow-anonymous = true\nlimits.keep-alive = 1s",
            backend);
    Assumptions.assumeTrue(gateway.isNative(), "needs the native transport");
    Process opening = curl("-D", "-", "-d", McpSession.initialize("2025-11-25"));
    String head = new String(opening.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String session =
        head.lines()
            .filter(line -> line.toLowerCase().startsWith("mcp-session-id:"))
            .findFirst()
            .orElseThrow()
            .strip();
    Process stream = curl("-H", session, "-d", McpSession.call("1"));
    BufferedReader events =
        new BufferedReader(new InputStreamReader(stream.getInputStream(), StandardCharsets.UTF_8));
    OpenCall call = backend.nextCall();
    call.note("before");
    while (!events.readLine().contains("before")) {}
    assertEquals(1, gateway.holdings().sinks());
    long cut = System.nanoTime();
    assertEquals(0, inside("ip link set fl1 down"));
    while (gateway.holdings().sinks() > 0) {
      Duration since = Duration.ofNanos(System.nanoTime() - cut);
      assertEquals(-1, since.compareTo(NOTICED), "not noticed after " + since);
      Thread.onSpinWait();
    }
    System.err.println("noticed after " + Duration.ofNanos(System.nanoTime() - cut));
    assertEquals(1, gateway.holdings().calls());
    stream.destroyForcibly();
  }

  private Process curl(String... more) throws Exception {
    List<String> command =
        new java.util.ArrayList<>(List.of("ip", "netns", "exec", SPACE, "curl", "-sN"));
    command.addAll(List.of("-H", "Content-Type: application/json"));
    command.addAll(List.of("-H", "Accept: " + McpSocket.BOTH));
    command.addAll(List.of(more));
    command.add("http://" + GATEWAY + ":" + gateway.port() + "/mcp");
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  private static int inside(String command) throws Exception {
    return sh("ip netns exec " + SPACE + " " + command);
  }

  private static int sh(String command) throws Exception {
    try {
      return new ProcessBuilder(command.split(" "))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (java.io.IOException absent) {
      return -1;
    }
  }
}
