package io.fairlead.gateway;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/**
 * A Vertx for each test, for applications that have the gateway within them.
 *
 * <p>Thread: the test's.
 */
abstract class MountBench {
  protected final ScriptedBackend backend = new ScriptedBackend("demo");
  protected final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() throws Exception {
    vertx.close().await(30, TimeUnit.SECONDS);
  }

  protected MountedApplication mount(String hocon) throws Exception {
    return new MountedApplication(hocon, backend).startIn(vertx);
  }

  protected static <T> T await(Future<T> future) throws Exception {
    return future.await(20, TimeUnit.SECONDS);
  }

  protected static McpSocket initialize(int port) throws Exception {
    return McpSocket.send(
        port, "POST", "/mcp", McpSession.initialize("2025-11-25"), "Accept: " + McpSocket.BOTH);
  }
}
