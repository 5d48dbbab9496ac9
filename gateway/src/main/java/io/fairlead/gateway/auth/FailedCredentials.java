package io.fairlead.gateway.auth;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Counts wrong credentials by the address that they came from, so that guessing is slowed. It holds
 * up nothing else: behind one address there may be many clients, and who has good credentials, none
 * yet, or ones that have expired is never asked about here.
 *
 * <p>Thread: owner loop. Owner: the front.
 */
public final class FailedCredentials {
  /** Beyond that the address whose minute began first is forgotten. */
  public static final int MAX_ADDRESSES = 10_000;

  private static final long WINDOW = Duration.ofMinutes(1).toNanos();

  /** What came from an address since its first failure, at most a window ago. */
  private static final class Failures {
    private final long since;
    private int count;

    private Failures(long since) {
      this.since = since;
    }
  }

  private final IntSupplier limit;
  private final LongSupplier nanoTime;
  private final Map<String, Failures> byAddress = new LinkedHashMap<>();

  /**
   * @param limit failures of one address in a window, asked anew each time; 0 for no limit
   */
  public FailedCredentials(IntSupplier limit) {
    this(limit, System::nanoTime);
  }

  FailedCredentials(IntSupplier limit, LongSupplier nanoTime) {
    this.limit = limit;
    this.nanoTime = nanoTime;
  }

  /**
   * Notes wrong credentials.
   *
   * @return how long the address is to wait, if it has sent too many
   */
  public Optional<Duration> note(String address) {
    if (limit.getAsInt() == 0) {
      return Optional.empty();
    }
    long now = nanoTime.getAsLong();
    forgetBefore(now - WINDOW);
    Failures failures = byAddress.computeIfAbsent(address, first -> new Failures(now));
    if (byAddress.size() > MAX_ADDRESSES) {
      Iterator<String> oldest = byAddress.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
    if (failures.count < limit.getAsInt()) {
      failures.count++;
      return Optional.empty();
    }
    return Optional.of(Duration.ofNanos(failures.since + WINDOW - now));
  }

  private void forgetBefore(long nanos) {
    Iterator<Failures> oldest = byAddress.values().iterator();
    while (oldest.hasNext() && oldest.next().since - nanos <= 0) {
      oldest.remove();
    }
  }

  /** Addresses that are remembered. */
  public int addresses() {
    return byAddress.size();
  }
}
