package io.fairlead.gateway;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/**
 * A gateway for each test, with a scripted backend.
 *
 * <p>Thread: the test's.
 */
abstract class GatewayBench {
  protected static final String PING = McpSession.request("5", "ping", "{}");
  protected static final String INITIALIZE = McpSession.initialize("2025-11-25");

  protected static final TestGateway.Holdings NOTHING = new TestGateway.Holdings(0, 0, 0, 0, 0, 0);

  /** With this, what the gateway refuses is counted. */
  protected static final String MEASURED = "management { enabled = true, port = 0 }\n";

  protected final ScriptedBackend backend = new ScriptedBackend("demo");
  protected TestGateway gateway;

  protected void start(String hocon) throws Exception {
    gateway = TestGateway.start(hocon, backend);
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  /** One exchange, taking JSON and event streams. */
  protected McpSocket send(String verb, String body, String... headers) throws Exception {
    List<String> all = new ArrayList<>(List.of(headers));
    all.add("Accept: " + McpSocket.BOTH);
    return gateway.send(verb, body, all.toArray(String[]::new));
  }
}
