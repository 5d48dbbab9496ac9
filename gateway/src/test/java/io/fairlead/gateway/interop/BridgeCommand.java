package io.fairlead.gateway.interop;

import io.vertx.core.json.JsonArray;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The packaged bridge as the command line of docs/bridge.md, for hosts that start their servers.
 *
 * <p>Thread: any.
 */
final class BridgeCommand {
  private static final Path JAR =
      Path.of("../bridge-client/target/fairlead-bridge.jar").toAbsolutePath().normalize();

  private BridgeCommand() {}

  /**
   * @param arguments URL and flags
   */
  static List<String> of(String... arguments) {
    if (!Files.exists(JAR)) {
      throw new IllegalStateException(JAR + " is absent: run mvn package first");
    }
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(java, "-Xmx64m", "-jar", JAR.toString()));
    command.addAll(List.of(arguments));
    return command;
  }

  /** As a JSON array, for scripts. */
  static String json(String... arguments) {
    return new JsonArray(of(arguments)).encode();
  }
}
