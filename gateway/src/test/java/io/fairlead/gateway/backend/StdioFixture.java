package io.fairlead.gateway.backend;

import io.fairlead.gateway.config.BackendConfig;
import io.fairlead.wire.Envelope;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Configurations of stdio backends that run {@link ScriptedServer} or a command.
 *
 * <p>Thread: any; immutable.
 *
 * @param command the words of the command
 * @param env what the operator configured
 */
record StdioFixture(
    List<String> command,
    Map<String, String> env,
    Optional<String> directory,
    boolean shared,
    int maxChildren,
    Duration startTimeout,
    Duration stopTimeout,
    int maxMessage) {

  /** Answers initialize, and ends at the end of its input. */
  static final String SHELL_SERVER =
      "read line; printf '%s\\n' '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":"
          + "\"2025-11-25\",\"capabilities\":{},\"serverInfo\":{\"name\":\"sh\",\"version\":\"1\"}}}';"
          + " while read line; do :; done";

  static StdioFixture of(String... command) {
    return new StdioFixture(
        List.of(command),
        Map.of(),
        Optional.empty(),
        false,
        64,
        Duration.ofSeconds(20),
        Duration.ofSeconds(5),
        100_000);
  }

  /** {@link ScriptedServer} in a virtual machine of its own, started with {@code mode}. */
  static StdioFixture scripted(String mode) {
    return of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xshare:auto",
        "-Xmx64m",
        "-Dfile.encoding=US-ASCII",
        "-cp",
        place(ScriptedServer.class) + File.pathSeparator + place(Envelope.class),
        ScriptedServer.class.getName(),
        mode);
  }

  private static String place(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  StdioFixture withEnv(Map<String, String> other) {
    return new StdioFixture(
        command, other, directory, shared, maxChildren, startTimeout, stopTimeout, maxMessage);
  }

  StdioFixture withDirectory(String other) {
    return new StdioFixture(
        command,
        env,
        Optional.of(other),
        shared,
        maxChildren,
        startTimeout,
        stopTimeout,
        maxMessage);
  }

  StdioFixture withShared() {
    return new StdioFixture(
        command, env, directory, true, maxChildren, startTimeout, stopTimeout, maxMessage);
  }

  StdioFixture withMaxChildren(int other) {
    return new StdioFixture(
        command, env, directory, shared, other, startTimeout, stopTimeout, maxMessage);
  }

  StdioFixture withTimeouts(Duration start, Duration stop) {
    return new StdioFixture(command, env, directory, shared, maxChildren, start, stop, maxMessage);
  }

  StdioFixture withMaxMessage(int other) {
    return new StdioFixture(
        command, env, directory, shared, maxChildren, startTimeout, stopTimeout, other);
  }

  BackendConfig.Stdio config() {
    return new BackendConfig.Stdio(
        command,
        env,
        directory,
        shared,
        maxChildren,
        startTimeout,
        stopTimeout,
        maxMessage,
        Optional.empty(),
        Optional.empty());
  }
}
