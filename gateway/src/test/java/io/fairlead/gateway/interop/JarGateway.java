package io.fairlead.gateway.interop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The packaged gateway as a process that can be killed, and started again on the same port.
 *
 * <p>Thread: the test's. Owner: the test that started it.
 */
final class JarGateway implements AutoCloseable {
  private static final Path JAR = Path.of("target/fairlead.jar");

  private final List<String> command;
  private Process process;

  private JarGateway(List<String> command) {
    this.command = command;
  }

  /** Starts it with a configuration, and waits until it serves. */
  static JarGateway start(Path directory, String hocon, int port) throws IOException {
    if (!Files.exists(JAR)) {
      throw new IllegalStateException(JAR + " is absent: run mvn package first");
    }
    Path config = Files.writeString(directory.resolve("gateway.conf"), hocon);
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    JarGateway gateway =
        new JarGateway(
            List.of(java, "-jar", JAR.toString(), "-c", config.toString(), "--port", "" + port));
    gateway.start();
    return gateway;
  }

  /** Kills it, and starts it again. */
  void restart() throws IOException {
    close();
    start();
  }

  /** Kills it, and waits for its end. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void start() throws IOException {
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    // nothing follows the line that it serves
    String line =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
            .readLine();
    if (line == null || !line.startsWith("fairlead ready ")) {
      throw new IOException("the gateway did not start: " + line);
    }
  }
}
