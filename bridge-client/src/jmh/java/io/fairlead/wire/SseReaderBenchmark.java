package io.fairlead.wire;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Reads events of several sizes that arrive in pieces of 16 KiB. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SseReaderBenchmark {
  private static final int PIECE = 16_384;

  /** Bytes of data of one event. */
  @Param({"100", "1024", "33554432"})
  public int data;

  private byte[] event;
  private long read;
  private SseReader reader;

  @Setup
  public void prepare() {
    byte[] line = new byte[data];
    Arrays.fill(line, (byte) 'x');
    event = SseWriter.event("abcdefghijklmnopqrst-1", line);
    reader = new SseReader(64 << 20, new Counter());
  }

  @Benchmark
  public long event() {
    for (int at = 0; at < event.length; at += PIECE) {
      reader.feed(event, at, Math.min(event.length, at + PIECE));
    }
    return read;
  }

  private final class Counter implements SseReader.Listener {
    @Override
    public void event(SseEvent event) {
      read += event.data().length;
    }

    @Override
    public void retry(long millis) {
      throw new IllegalStateException("retry=" + millis);
    }

    @Override
    public void oversize() {
      throw new IllegalStateException("oversize");
    }
  }
}
