package io.fairlead.gateway;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients in a network namespace that hold streams open until their network is gone: no FIN and no
 * RST ever comes of them. Needs root and iproute2.
 *
 * <p>Thread: the test's.
 */
final class LostNetwork implements AutoCloseable {
  private static final String NAME = "flsoak" + ProcessHandle.current().pid() % 10_000;
  private static final String GATEWAY = "10.213.78.1";

  private final List<Process> clients = new ArrayList<>();

  private LostNetwork() {}

  static LostNetwork open(int port, int clients, String key) throws Exception {
    LostNetwork network = new LostNetwork();
    assumeTrue(ip("netns add " + NAME), "needs root and iproute2");
    ip("link add " + NAME + " type veth peer name inside netns " + NAME);
    ip("addr add " + GATEWAY + "/24 dev " + NAME);
    ip("link set " + NAME + " up");
    ip("-n " + NAME + " addr add 10.213.78.2/24 dev inside");
    ip("-n " + NAME + " link set inside up");
    for (int i = 0; i < clients; i++) {
      String session = McpSession.open(port, "/mcp", "2025-11-25", key).id;
      network.listen(port, session, key);
    }
    return network;
  }

  /** A client that reads its standalone stream. */
  private void listen(int port, String session, String key) throws IOException {
    String request =
        "GET /mcp HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nAccept: text/event-stream\\r\\n"
            + ("Mcp-Session-Id: " + session + "\\r\\n" + key + "\\r\\n\\r\\n");
    String script = "exec 3<>/dev/tcp/%s/%d; printf '%s' >&3; cat <&3";
    Process client =
        new ProcessBuilder(
                "ip", "netns", "exec", NAME, "bash", "-c", script.formatted(GATEWAY, port, request))
            .start();
    clients.add(client);
    // the head of the answer: the stream is open
    if (client.getInputStream().read() < 0) {
      throw new IOException("no answer: " + new String(client.getErrorStream().readAllBytes()));
    }
  }

  /** From now on nothing goes through. */
  void cut() {
    ip("-n " + NAME + " link set inside down");
  }

  private static boolean ip(String arguments) {
    try {
      return new ProcessBuilder(("ip " + arguments).split(" ")).start().waitFor() == 0;
    } catch (IOException absent) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    clients.forEach(Process::destroyForcibly);
    ip("link del " + NAME);
    ip("netns del " + NAME);
  }
}
