package io.fairlead.store;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Appends events of 300 bytes to logs, sessions and stores that are full, so that each append
 * evicts. With {@code -prof gc}: nothing is allocated beside the event itself.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class EventLogBenchmark {

  private static final Duration TTL = Duration.ofMinutes(5);
  private static final int STREAMS = 1024;

  private final byte[] data = new byte[300];
  private EventLog log;
  private EventLog unread;
  private EventLog[] neighbours;
  private EventStore crowded;
  private int turn;

  @Setup
  public void fill() {
    EventStore store = store(new Retention(1024, 8 << 20, 16 << 20, 64 << 20, TTL));
    log = store.openSession().open("read", () -> {});
    log.attach(0);
    unread = store.openSession().open("unread", () -> {});
    EventStore full = store(new Retention(1024, 8 << 20, 1 << 20, 64 << 20, TTL));
    SessionEvents session = full.openSession();
    neighbours = new EventLog[STREAMS];
    for (int i = 0; i < STREAMS; i++) {
      neighbours[i] = session.open("s" + i, () -> {});
    }
    crowded = store(new Retention(1024, 8 << 20, 16 << 20, 8 << 20, TTL));
    for (int i = 0; i < 5_000; i++) {
      call();
    }
  }

  /** The reader takes each event at once; the ring is full of what it took. */
  @Benchmark
  public Event appendAndTake() {
    log.append(EventKind.NOTIFICATION, data);
    return log.next();
  }

  /** Nobody is attached; the oldest event goes. */
  @Benchmark
  public long appendUnread() {
    return unread.append(EventKind.NOTIFICATION, data);
  }

  /** 1,024 running streams share a session that is full. */
  @Benchmark
  public long appendInFullSession() {
    turn = (turn + 1) & (STREAMS - 1);
    return neighbours[turn].append(EventKind.NOTIFICATION, data);
  }

  /** The life of a call of 10 events in a session of its own, in a store that is full. */
  @Benchmark
  public long call() {
    EventLog called = crowded.openSession().open("call", () -> {});
    called.attach(0);
    for (int i = 1; i <= 10; i++) {
      called.append(i == 10 ? EventKind.RESPONSE : EventKind.NOTIFICATION, data);
      called.next();
    }
    called.end();
    called.detach();
    return crowded.bytes();
  }

  private static EventStore store(Retention bounds) {
    return new EventStore(bounds, System::nanoTime, kind -> {});
  }
}
