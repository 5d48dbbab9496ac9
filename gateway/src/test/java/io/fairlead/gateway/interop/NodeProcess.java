package io.fairlead.gateway.interop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A process of foreign software; most are Node.js and run one script of {@code target/interop}.
 *
 * <p>Thread: any. Owner: the test that started it, and that closes it.
 */
final class NodeProcess implements AutoCloseable {
  private static final Path LOGS = NodeModules.path("logs");

  private final Process process;
  private final Path errors;
  private final List<String> lines = new ArrayList<>();
  private final Thread reader;

  private NodeProcess(Process process, Path errors, Consumer<String> listener) {
    this.process = process;
    this.errors = errors;
    this.reader = new Thread(() -> read(listener), "node-stdout");
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts a script. */
  static NodeProcess start(String script, Object... arguments) {
    return start(Map.of(), line -> {}, script, arguments);
  }

  /**
   * Starts a script.
   *
   * @param listener is told each line of its standard output, on the reader's thread
   */
  static NodeProcess start(
      Map<String, String> env, Consumer<String> listener, String script, Object... arguments) {
    List<String> command = new ArrayList<>(command(script));
    Arrays.stream(arguments).map(Object::toString).forEach(command::add);
    return start(env, listener, script.replace('/', '-'), command);
  }

  /**
   * Starts a command.
   *
   * @param name of the file that keeps its standard error
   */
  static NodeProcess start(
      Map<String, String> env, Consumer<String> listener, String name, List<String> command) {
    try {
      Files.createDirectories(LOGS);
      Path errors = Files.createTempFile(LOGS, name, ".log");
      ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
      builder.environment().putAll(env);
      return new NodeProcess(builder.start(), errors, listener);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The command that runs a script. */
  static List<String> command(String script) {
    return List.of(NodeModules.node(), NodeModules.path(script).toString());
  }

  /** A port that nobody listens on. */
  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it accepts connections on {@code port}, and gives it back. */
  int awaitPort(int port) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(15).toNanos();
    while (!accepts(port)) {
      if (System.nanoTime() > end || !process.isAlive()) {
        throw new IllegalStateException("nobody listens on port=" + port + ": " + errors());
      }
      Thread.sleep(20);
    }
    return port;
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Writes a line to its standard input. */
  void say(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for its end; the lines of its standard output. */
  List<String> awaitEnd(Duration bound) throws InterruptedException {
    if (!process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
      close();
      throw new IllegalStateException("still running after " + bound + ": " + output());
    }
    reader.join();
    return List.copyOf(lines);
  }

  /** Its exit code, after its end. */
  int exitCode() {
    return process.exitValue();
  }

  /** What it said on its standard error. */
  String errors() {
    try {
      return Files.readString(errors);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All that it said, for a failure's message. */
  String output() {
    synchronized (lines) {
      return String.join("\n", lines) + "\n" + errors();
    }
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

  private void read(Consumer<String> listener) {
    try (BufferedReader from =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = from.readLine(); line != null; line = from.readLine()) {
        synchronized (lines) {
          lines.add(line);
        }
        listener.accept(line);
      }
    } catch (IOException e) {
      listener.accept("unreadable: " + e.getMessage());
    }
  }
}
