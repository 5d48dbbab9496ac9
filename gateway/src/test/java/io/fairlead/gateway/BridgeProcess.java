package io.fairlead.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The bridge as a process of its own with little memory, and the client that talks to it.
 *
 * <p>Thread: the test's.
 */
final class BridgeProcess implements AutoCloseable {
  static final String INITIALIZE =
      "{\"jsonrpc\":\"2.0\",\"id\":\"init\",\"method\":\"initialize\",\"params\":"
          + "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"elicitation\":{}},"
          + "\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}";
  static final String INITIALIZED =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
  private static final int SECONDS = 20;

  private final Process process;
  private final Path log;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Semaphore reading = new Semaphore(1);

  private BridgeProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    Thread reading = new Thread(this::read, "bridge-stdout");
    reading.setDaemon(true);
    reading.start();
  }

  /** Starts it from the classes under test. */
  static BridgeProcess start(List<String> jvm, String... arguments) throws IOException {
    List<String> command = java(jvm, "io.fairlead.bridge.BridgeMain");
    command.addAll(List.of(arguments));
    return run(command);
  }

  /** Starts it in a network namespace of its own. */
  static BridgeProcess startIn(String namespace, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
    command.addAll(java(List.of(), "io.fairlead.bridge.BridgeMain"));
    command.addAll(List.of(arguments));
    return run(command);
  }

  /** Starts it as the child of a {@link BridgeParent}, which is what the test then talks to. */
  static BridgeProcess startWithParent(String... arguments) throws IOException {
    List<String> command = java(List.of(), BridgeParent.class.getName());
    command.addAll(java(List.of(), "io.fairlead.bridge.BridgeMain"));
    command.addAll(List.of(arguments));
    return run(command);
  }

  private static List<String> java(List<String> jvm, String mainClass) {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
    command.addAll(jvm);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
    return command;
  }

  private static BridgeProcess run(List<String> command) throws IOException {
    Path log = Files.createTempFile("bridge", ".log");
    return new BridgeProcess(new ProcessBuilder(command).redirectError(log.toFile()).start(), log);
  }

  static BridgeProcess start(int port, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("http://127.0.0.1:" + port + "/mcp"));
    all.addAll(List.of(arguments));
    return start(List.of(), all.toArray(String[]::new));
  }

  /** Started, and its client has a session. */
  static BridgeProcess ready(int port, String... arguments) throws Exception {
    BridgeProcess bridge = start(port, arguments);
    bridge.handshake();
    return bridge;
  }

  void handshake() throws Exception {
    send(INITIALIZE);
    initialized();
    send(INITIALIZED);
  }

  /** The answer to {@code initialize} is the first that comes. */
  void initialized() throws InterruptedException {
    JsonObject answer = next();
    if (!"init".equals(answer.getValue("id")) || !answer.containsKey("result")) {
      throw new AssertionError(answer + "\n" + log());
    }
  }

  private void read() {
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        lines.add(line);
        reading.acquireUninterruptibly();
        reading.release();
      }
    } catch (IOException e) {
      // the process has ended
    }
  }

  void send(String line) throws IOException {
    sendRaw((line + "\n").getBytes(UTF_8));
  }

  void sendRaw(byte[] bytes) throws IOException {
    process.getOutputStream().write(bytes);
    process.getOutputStream().flush();
  }

  /** The next line that it wrote, as it is. */
  String nextLine() throws InterruptedException {
    return nextLine(SECONDS);
  }

  String nextLine(int seconds) throws InterruptedException {
    String line = lines.poll(seconds, TimeUnit.SECONDS);
    if (line == null) {
      throw new AssertionError("no message from the bridge\n" + log());
    }
    return line;
  }

  JsonObject next() throws InterruptedException {
    return new JsonObject(nextLine());
  }

  /** Skips messages up to one that fits. */
  JsonObject next(Predicate<JsonObject> fits) throws InterruptedException {
    JsonObject message = next();
    while (!fits.test(message)) {
      message = next();
    }
    return message;
  }

  /** The answer to {@code id}, whatever comes before it. */
  JsonObject answer(Object id) throws InterruptedException {
    return next(message -> id.equals(message.getValue("id")) && !message.containsKey("method"));
  }

  /** Whether nothing is left that was not looked at. */
  boolean isQuiet() {
    return lines.isEmpty();
  }

  void closeStdin() throws IOException {
    process.getOutputStream().close();
  }

  /** The client reads at most one more line, until {@link #readOn}. */
  void stopReading() {
    reading.acquireUninterruptibly();
  }

  void readOn() {
    reading.release();
  }

  /** The client reads no more. */
  void closeStdout() throws IOException {
    process.getInputStream().close();
  }

  /** SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /** SIGKILL. */
  void kill() {
    process.destroyForcibly();
  }

  void signal(Signal signal) throws IOException, InterruptedException {
    signal.send(process);
  }

  /** The processes that it started. */
  List<ProcessHandle> children() {
    return process.children().toList();
  }

  boolean endsWithin(int millis) throws InterruptedException {
    return process.waitFor(millis, TimeUnit.MILLISECONDS);
  }

  int exitCode(int seconds) throws InterruptedException {
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      throw new AssertionError("it still runs after s=" + seconds + "\n" + log());
    }
    return process.exitValue();
  }

  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    Files.deleteIfExists(log);
  }
}
