package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A bridge whose machine gets another address, as in another network. Needs root and iproute2. */
@Tag("soak")
class NetworkChangeIT {
  private static final String NAME = "fl" + ProcessHandle.current().pid() % 100_000;
  private static final String OUTSIDE = "10.213.77.1";

  private static boolean ip(String arguments) throws InterruptedException {
    try {
      return new ProcessBuilder(("ip " + arguments).split(" ")).start().waitFor() == 0;
    } catch (IOException absent) {
      return false;
    }
  }

  private static void inside(String arguments) throws InterruptedException {
    assertTrue(ip("-n " + NAME + " " + arguments), arguments);
  }

  @BeforeEach
  void open() throws Exception {
    assumeTrue(ip("netns add " + NAME), "needs root and iproute2");
    assumeTrue(ip("link add " + NAME + " type veth peer name inside netns " + NAME));
    assertTrue(ip("addr add " + OUTSIDE + "/24 dev " + NAME));
    assertTrue(ip("link set " + NAME + " up"));
    inside("addr add 10.213.77.2/24 dev inside");
    inside("link set inside up");
  }

  @AfterEach
  void close() throws Exception {
    ip("link del " + NAME);
    ip("netns del " + NAME);
  }

  @Test
  @DisplayName("streams 50: a call is resumed from another address, though nothing told of the end")
  void callIsResumedFromAnotherAddress() throws Exception {
    try (StubServer server = StubServer.at(OUTSIDE);
        BridgeProcess bridge =
            BridgeProcess.startIn(
                NAME, "http://" + OUTSIDE + ":" + server.port() + "/mcp", "--allow-http")) {
      bridge.handshake();
      bridge.send(McpSession.call("1"));
      bridge.next(message -> "notifications/x".equals(message.getString("method")));
      inside("addr flush dev inside");
      inside("addr add 10.213.77.3/24 dev inside");
      long changed = System.nanoTime();
      JsonObject answer = new JsonObject(bridge.nextLine(90));
      Duration took = Duration.ofNanos(System.nanoTime() - changed);
      System.out.println("resumed after s=" + took.toSeconds());
      assertEquals(true, answer.getJsonObject("result").getBoolean("resumed"), answer::encode);
      assertEquals(1, server.asked("POST", "tools/call").size());
    }
  }
}
