package io.fairlead.store;

import java.util.function.LongSupplier;

/**
 * All event logs and their budgets.
 *
 * <p>Thread: one at a time (the owner's); nothing here locks. Owner: the gateway.
 */
public final class EventStore {

  /** Told of each eviction, in the same turn. */
  public interface Listener {
    void evicted(EventKind kind);
  }

  /**
   * @param nanoTime a monotonic clock, in nanoseconds
   */
  public EventStore(Retention retention, LongSupplier nanoTime, Listener listener) {}

  /** A new session's share of the store. */
  public SessionEvents openSession() {
    throw new UnsupportedOperationException("stub");
  }

  /** Forgets the logs whose time to live has passed; costs no more than what it forgets. */
  public void expire() {
    throw new UnsupportedOperationException("stub");
  }

  /** Changes the bounds; what exceeds them is evicted with the next append. */
  public void retain(Retention retention) {
    throw new UnsupportedOperationException("stub");
  }

  public long events() {
    throw new UnsupportedOperationException("stub");
  }

  public long bytes() {
    throw new UnsupportedOperationException("stub");
  }

  public int logs() {
    throw new UnsupportedOperationException("stub");
  }
}
