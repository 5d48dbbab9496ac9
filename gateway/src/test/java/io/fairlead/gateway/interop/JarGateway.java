package io.fairlead.gateway.interop;

import io.fairlead.gateway.Signal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The packaged gateway as a process that can be killed, and started again on the same port, and
 * whose configuration can be edited.
 *
 * <p>Thread: the test's. Owner: the test that started it.
 */
final class JarGateway implements AutoCloseable {
  private static final Path JAR = Path.of("target/fairlead.jar");

  private final int port;
  private final List<String> command;
  private final Path config;
  private final Path log;
  private Process process;

  private JarGateway(int port, List<String> command, Path config, Path log) {
    this.port = port;
    this.command = command;
    this.config = config;
    this.log = log;
  }

  /** Starts it with a configuration, and waits until it serves. */
  static JarGateway start(Path directory, String hocon, int port, String... flags)
      throws IOException {
    return start(Path.of(System.getProperty("java.home")), directory, hocon, port, flags);
  }

  /** Starts it on a JDK, and waits until it serves. */
  static JarGateway start(Path jdk, Path directory, String hocon, int port, String... flags)
      throws IOException {
    if (!Files.exists(JAR)) {
      throw new IllegalStateException(JAR + " is absent: run mvn package first");
    }
    Path config = Files.writeString(directory.resolve("gateway.conf"), hocon);
    String java = jdk.resolve("bin/java").toString();
    List<String> command =
        new ArrayList<>(
            List.of(java, "-jar", JAR.toString(), "-c", config.toString(), "--port", "" + port));
    command.addAll(List.of(flags));
    JarGateway gateway = new JarGateway(port, command, config, directory.resolve("gateway.log"));
    gateway.start();
    return gateway;
  }

  int port() {
    return port;
  }

  /** Puts another text in the place of its configuration, and tells it to read that. */
  void edit(String hocon) throws Exception {
    Path written = Files.writeString(config.resolveSibling("gateway.conf.new"), hocon);
    Files.move(written, config, StandardCopyOption.ATOMIC_MOVE);
    Signal.HUP.send(process);
  }

  /** Waits until its log has this text so many times. */
  void awaitLogged(String text, int times) throws Exception {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (Files.readString(log).split(text, -1).length <= times) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not logged " + times + " times: " + text + "\n" + log());
      }
      process.waitFor(5, TimeUnit.MILLISECONDS);
    }
  }

  /** What it wrote to stderr. */
  String log() throws IOException {
    return Files.readString(log);
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
    process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    // nothing follows the line that it serves
    String line =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
            .readLine();
    if (line == null || !line.startsWith("fairlead ready ")) {
      throw new IOException("the gateway did not start: " + line + "\n" + log());
    }
  }
}
