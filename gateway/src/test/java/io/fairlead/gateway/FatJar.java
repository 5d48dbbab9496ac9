package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The packaged gateway as a process, with what it writes kept in files.
 *
 * <p>Thread: the test's.
 */
final class FatJar implements AutoCloseable {
  static final Path JAR = Path.of("target/fairlead.jar");

  /** What docs/running.md puts before {@code -jar} for the class archive. */
  static final List<String> WITH_ARCHIVE =
      List.of("-Xshare:auto", "-Xlog:disable", "-Xlog:all=warning:stderr");

  private static final Pattern READY =
      Pattern.compile("fairlead ready (http://\\S+) instance=(\\S+) backends=(\\S+)");
  private static final Duration BOUND = Duration.ofSeconds(20);

  private final Process process;
  private final Path out;
  private final Path err;

  private FatJar(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /** Starts it; the directory gets its output, and is where it may put temporary files. */
  static FatJar start(Path directory, Map<String, String> env, String... arguments)
      throws IOException {
    return start(directory, env, List.of(), JAR, arguments);
  }

  /** Starts it as docs/running.md does with a class archive. */
  static FatJar archived(Path directory, Path archive, Path jar, String... arguments)
      throws IOException {
    List<String> flags = new ArrayList<>(List.of("-XX:SharedArchiveFile=" + archive));
    flags.addAll(WITH_ARCHIVE);
    return start(directory, Map.of(), flags, jar.toAbsolutePath(), arguments);
  }

  /** Starts it with so much heap. */
  static FatJar start(Path directory, String heap, Path config) throws IOException {
    return start(directory, Map.of(), List.of("-Xmx" + heap), JAR, "-c", config.toString());
  }

  /** What the build has made beside the jar. */
  static Path archive() {
    return JAR.resolveSibling("fairlead.jsa").toAbsolutePath();
  }

  private static FatJar start(
      Path directory, Map<String, String> env, List<String> flags, Path jar, String... arguments)
      throws IOException {
    assertTrue(Files.exists(jar), () -> jar + " is absent: run mvn package first");
    Path temporary = Files.createDirectories(directory.resolve("tmp"));
    Path out = Files.createTempFile(directory, "out", ".txt");
    Path err = Files.createTempFile(directory, "err", ".txt");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.io.tmpdir=" + temporary);
    command.addAll(flags);
    command.addAll(List.of("-jar", jar.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().putAll(env);
    return new FatJar(builder.start(), out, err);
  }

  static FatJar start(Path directory, String... arguments) throws IOException {
    return start(directory, Map.of(), arguments);
  }

  /** Waits for the ready line: group 1 is the URL, 2 the instance, 3 the backends. */
  Matcher ready() throws InterruptedException {
    await("ready line", jar -> READY.matcher(jar.out()).find());
    Matcher ready = READY.matcher(out().strip());
    assertTrue(ready.matches(), this::output);
    return ready;
  }

  URI url() throws InterruptedException {
    return URI.create(ready().group(1));
  }

  void await(String what, Predicate<FatJar> condition) throws InterruptedException {
    long end = System.nanoTime() + BOUND.toNanos();
    while (!condition.test(this)) {
      assertTrue(process.isAlive() && System.nanoTime() < end, () -> what + "\n" + output());
      process.waitFor(10, TimeUnit.MILLISECONDS);
    }
  }

  /** SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /** SIGHUP. */
  void hangUp() throws IOException, InterruptedException {
    Signal.HUP.send(process);
  }

  /** SIGKILL. */
  void kill() {
    process.destroyForcibly();
  }

  long pid() {
    return process.pid();
  }

  int exitCode() throws InterruptedException {
    return exitCode(BOUND);
  }

  int exitCode(Duration bound) throws InterruptedException {
    assertTrue(process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS), () -> "runs\n" + output());
    return process.exitValue();
  }

  String out() {
    return read(out);
  }

  String err() {
    return read(err);
  }

  String output() {
    return "stdout:\n" + out() + "stderr:\n" + err();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
