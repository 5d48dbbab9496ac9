package io.fairlead.gateway.http;

import io.fairlead.gateway.observe.Metrics;
import io.fairlead.gateway.session.OwnerLoop;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Bytes of responses that wait for their clients to read: together within a budget, above which the
 * response that waits for longest is cut.
 *
 * <p>Thread: owner loop. Owner: the front.
 */
public final class UnsentAnswers {
  /** So many responses with many messages fill the budget: the part of it that one may take. */
  private static final int SHARES = 8;

  private final OwnerLoop loop;
  private final Supplier<Duration> patience;
  private final Metrics metrics;
  private final long limit;

  /** What each holds; the one whose last message was sent before those of the others is first. */
  private final Map<Outflow, Long> waiting = new LinkedHashMap<>();

  private long bytes;

  /**
   * @param patience with a client that reads nothing, asked anew each time
   * @param limit of the bytes that wait
   */
  UnsentAnswers(OwnerLoop loop, Supplier<Duration> patience, Metrics metrics, long limit) {
    this.loop = loop;
    this.patience = patience;
    this.metrics = metrics;
    this.limit = limit;
  }

  /** Bytes that wait, as a gauge. */
  public long bytes() {
    return bytes;
  }

  /** The limit of {@link #bytes()}. */
  public long limit() {
    return limit;
  }

  /** So many unsent bytes one response may have whose messages no other bound holds. */
  long share() {
    return limit / SHARES;
  }

  OwnerLoop loop() {
    return loop;
  }

  Duration patience() {
    return patience.get();
  }

  /** A message of so many bytes is held until all of it is sent. */
  void hold(Outflow response, int length) {
    waiting.merge(response, (long) length, Long::sum);
    bytes += length;
    while (bytes > limit) {
      Outflow longest = waiting.keySet().iterator().next();
      bytes -= waiting.remove(longest);
      metrics.refused("unsent_bytes");
      longest.cut();
    }
  }

  /** A message is held no more. */
  void release(Outflow response, int length) {
    Long held = waiting.remove(response);
    if (held != null) {
      bytes -= length;
      if (held > length) {
        waiting.put(response, held - length);
      }
    }
  }
}
