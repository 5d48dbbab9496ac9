package io.fairlead.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What several starts of one command took: median and range, for docs/benchmarks.md.
 *
 * <p>Thread: the test's.
 */
public final class StartFigures {
  private final List<Long> millis = new ArrayList<>();
  private final List<Long> processor = new ArrayList<>();
  private final List<Long> mebibytes = new ArrayList<>();

  /** The resident memory of a process, in MiB. */
  public static long residentMebibytes(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc", String.valueOf(pid), "status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
        .findFirst()
        .orElseThrow();
  }

  /**
   * @param begun when the process was started, as {@link System#nanoTime} said
   */
  public void add(long begun, long pid) throws IOException {
    millis.add((System.nanoTime() - begun) / 1_000_000);
    mebibytes.add(residentMebibytes(pid));
    ProcessHandle.Info process = ProcessHandle.of(pid).orElseThrow().info();
    processor.add(process.totalCpuDuration().orElseThrow().toMillis());
  }

  @Override
  public String toString() {
    return "%s ms, processor %s ms, %s MiB"
        .formatted(spread(millis), spread(processor), spread(mebibytes));
  }

  private static String spread(List<Long> values) {
    List<Long> sorted = values.stream().sorted().toList();
    int last = sorted.size() - 1;
    return "%d (%d to %d)"
        .formatted(sorted.get(sorted.size() / 2), sorted.get(0), sorted.get(last));
  }
}
