package io.fairlead.gateway.session;

import io.vertx.core.Vertx;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Knows when so much of the heap is in use that no new session should be opened. What counts is
 * what the last garbage collection left; all else may be garbage.
 *
 * <p>Thread: owner loop. Owner: the front.
 */
public final class HeapGuard {
  private static final long COLLECT_NANOS = Duration.ofSeconds(30).toNanos();

  private final LongSupplier used;
  private final long max;
  private final DoubleSupplier part;
  private final Runnable collect;
  private long nextCollection = System.nanoTime();

  /**
   * @param used bytes in use after the last collection
   * @param max bytes of the whole heap
   * @param part the part of it that may be in use, asked anew each time
   * @param collect has garbage collected
   */
  HeapGuard(LongSupplier used, long max, DoubleSupplier part, Runnable collect) {
    this.used = used;
    this.max = max;
    this.part = part;
    this.collect = collect;
  }

  /** The guard of this process. */
  public static HeapGuard ofProcess(Vertx vertx, DoubleSupplier part) {
    List<MemoryPoolMXBean> pools =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();
    return new HeapGuard(
        () -> inUse(pools),
        Runtime.getRuntime().maxMemory(),
        part,
        () -> vertx.executeBlocking(HeapGuard::collectGarbage));
  }

  private static long inUse(List<MemoryPoolMXBean> pools) {
    return pools.stream()
        .map(MemoryPoolMXBean::getCollectionUsage)
        .filter(Objects::nonNull)
        .mapToLong(MemoryUsage::getUsed)
        .sum();
  }

  private static boolean collectGarbage() {
    System.gc();
    return true;
  }

  /** Whether a new session is one too many. */
  public boolean isFull() {
    if (used() <= limit()) {
      return false;
    }
    long now = System.nanoTime();
    if (now - nextCollection >= 0) {
      // what is refused makes hardly any garbage, so that the collection that would find the heap
      // empty again might never come
      nextCollection = now + COLLECT_NANOS;
      collect.run();
    }
    return true;
  }

  /** Bytes that were in use after the last collection. */
  public long used() {
    return used.getAsLong();
  }

  /** Bytes that may be. */
  public long limit() {
    return (long) (max * part.getAsDouble());
  }
}
