package io.fairlead.gateway;

import java.io.IOException;
import java.util.List;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterEach;

/**
 * A gateway for each test, with two backends that its configurations name or do not.
 *
 * <p>Thread: the test's.
 */
abstract class ReconfigurationBench {
  protected static final String LIST = McpSession.request("9", "tools/list", "{}");

  protected final ScriptedBackend a = new ScriptedBackend("a");
  protected final ScriptedBackend b = new ScriptedBackend("b");
  protected TestGateway gateway;

  @AfterEach
  void stop() {
    gateway.close();
  }

  protected void start(String hocon, ScriptedBackend... configured) throws Exception {
    gateway = TestGateway.start(TestGateway.config(hocon, configured), List.of(a, b));
    TestGateway.until("its backends are up", () -> upBackends() == configured.length);
  }

  protected long upBackends() {
    return gateway.read(
        parts ->
            parts.services().catalog().backends().stream()
                .filter(name -> parts.services().catalog().state(name).isUp())
                .count());
  }

  protected int number(ToIntFunction<Assembly> what) {
    return gateway.<Integer>read(what::applyAsInt);
  }

  protected static String answer(McpSession session, String message) throws IOException {
    try (McpSocket post = session.post(message)) {
      return post.body();
    }
  }
}
