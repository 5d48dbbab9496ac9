package io.fairlead.gateway;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Clients in a network namespace that hold streams open until their network is gone: no FIN and no
 * RST ever comes of them. Needs root and iproute2.
 *
 * <p>Thread: the test's.
 */
final class LostNetwork implements AutoCloseable {
  private static final String PREFIX = "flsoak";
  private static final String NAME = PREFIX + ProcessHandle.current().pid();

  private final String subnet;

  private LostNetwork(String subnet) {
    this.subnet = subnet;
  }

  static LostNetwork open(int port, int clients, String key) throws Exception {
    leftovers().forEach(LostNetwork::remove);
    assumeTrue(ip("netns add " + NAME).isPresent(), "needs root and iproute2");
    LostNetwork network = new LostNetwork(freeSubnet());
    ip("link add " + NAME + " type veth peer name inside netns " + NAME);
    ip("addr add " + network.subnet + "1/24 dev " + NAME);
    ip("link set " + NAME + " up");
    ip("-n " + NAME + " addr add " + network.subnet + "2/24 dev inside");
    ip("-n " + NAME + " link set inside up");
    for (int i = 0; i < clients; i++) {
      String session = McpSession.open(port, "/mcp", "2025-11-25", key).id;
      network.listen(port, session, key);
    }
    return network;
  }

  /** The namespaces of runs that were interrupted. */
  private static List<String> leftovers() {
    return ip("netns list")
        .orElse("")
        .lines()
        .map(line -> line.split(" ")[0])
        .filter(name -> name.matches(PREFIX + "\\d+"))
        .filter(name -> name.equals(NAME) || !isRunning(name.substring(PREFIX.length())))
        .toList();
  }

  private static boolean isRunning(String pid) {
    return ProcessHandle.of(Long.parseLong(pid)).isPresent();
  }

  /** All but the last number of an address. */
  private static String freeSubnet() {
    String taken = ip("-4 -o addr show").orElse("");
    return IntStream.range(0, 256)
        .mapToObj(net -> "10.213." + net + ".")
        .filter(net -> !taken.contains(" " + net))
        .findFirst()
        .orElseThrow();
  }

  /** A client that reads its standalone stream. */
  private void listen(int port, String session, String key) throws IOException {
    String request =
        "GET /mcp HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nAccept: text/event-stream\\r\\n"
            + ("Mcp-Session-Id: " + session + "\\r\\n" + key + "\\r\\n\\r\\n");
    String script = "exec 3<>/dev/tcp/%s/%d; printf '%s' >&3; cat <&3";
    Process client =
        new ProcessBuilder(
                "ip",
                "netns",
                "exec",
                NAME,
                "bash",
                "-c",
                script.formatted(subnet + 1, port, request))
            .start();
    // the head of the answer: the stream is open
    if (client.getInputStream().read() < 0) {
      throw new IOException("no answer: " + new String(client.getErrorStream().readAllBytes()));
    }
  }

  /** From now on nothing goes through. */
  void cut() {
    ip("-n " + NAME + " link set inside down");
  }

  private static void remove(String name) {
    ip("netns pids " + name)
        .orElse("")
        .lines()
        .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
        .forEach(ProcessHandle::destroyForcibly);
    ip("link del " + name);
    ip("netns del " + name);
  }

  /** What the command says; empty if it fails. */
  private static Optional<String> ip(String arguments) {
    try {
      Process ip =
          new ProcessBuilder(("ip " + arguments).split(" "))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String said = new String(ip.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return ip.waitFor() == 0 ? Optional.of(said) : Optional.empty();
    } catch (IOException absent) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    remove(NAME);
  }
}
