package io.fairlead.bridge;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * Where the log goes: stderr, and a file that only its owner can read. To be opened before the
 * first logger is.
 *
 * <p>Thread: opened by the main thread; written by any.
 */
final class LogOutput extends OutputStream {
  /** What the fat jar's logback.xml refers to. */
  private static final String LEVEL = "fairlead.bridge.log";

  private final OutputStream first;
  private final OutputStream second;

  private LogOutput(OutputStream first, OutputStream second) {
    this.first = first;
    this.second = second;
  }

  /** Fails if the file cannot be written. */
  static void open(String level, Optional<Path> file) throws IOException {
    System.setProperty(LEVEL, level);
    if (file.isPresent()) {
      OutputStream log = create(file.get());
      System.setErr(new PrintStream(new LogOutput(System.err, log), true, UTF_8));
    }
  }

  private static OutputStream create(Path file) throws IOException {
    boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    if (posix && Files.notExists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } else if (posix) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
    return Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    first.write(bytes, from, count);
    second.write(bytes, from, count);
  }

  @Override
  public void flush() throws IOException {
    first.flush();
    second.flush();
  }
}
