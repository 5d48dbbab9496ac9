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

  /** What docs/bridge.md puts before {@code -jar}. */
  private static final List<String> WITH_ARCHIVE =
      List.of(
          "-Xshare:auto",
          "-Xlog:disable",
          "-Xlog:all=warning:stderr",
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC");

  private BridgeCommand() {}

  static Path jar() {
    return JAR;
  }

  /** What the build has made beside the jar. */
  static Path archive() {
    return JAR.resolveSibling("fairlead-bridge.jsa");
  }

  /** The command with the archive that docs/bridge.md recommends. */
  static List<String> archived(Path archive, Path jar, String... arguments) {
    List<String> command = of();
    command.addAll(1, WITH_ARCHIVE);
    command.add(1, "-XX:SharedArchiveFile=" + archive);
    command.set(command.size() - 1, jar.toString());
    command.addAll(List.of(arguments));
    return command;
  }

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
