package io.fairlead.gateway.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The file in which {@code ledger.mjs} writes down each execution.
 *
 * @param file that it appends to
 */
record Ledger(Path file) {

  static Ledger in(Path directory) {
    try {
      return new Ledger(Files.createFile(directory.resolve("ledger")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<String> lines() {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How often a call with {@code key} ran. */
  long executions(String key) {
    return lines().stream().filter(key::equals).count();
  }

  /** Waits until a call with {@code key} runs. */
  void await(String key) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (executions(key) == 0) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("no execution of key=" + key + " in 10 s: " + lines());
      }
      Thread.sleep(5);
    }
  }
}
