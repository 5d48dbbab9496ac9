package io.fairlead.gateway;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A {@link Mischief} in a process of its own: its garbage is not collected while a client that
 * behaves well measures its calls.
 *
 * <p>Thread: the test's.
 */
final class MischiefProcess implements AutoCloseable {
  private final Process process;

  private MischiefProcess(Process process) {
    this.process = process;
  }

  static MischiefProcess start(int port, String key) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            Mischief.class.getName(),
            Integer.toString(port),
            key);
    return new MischiefProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Ends it; what it did, one line for each kind. */
  String end() throws IOException, InterruptedException {
    process.getOutputStream().close();
    String counts = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new AssertionError("the mischief did not end well: " + counts);
    }
    return counts;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
