package io.fairlead.gateway.session;

/**
 * Bytes of one kind of thing that clients sent, as long as they are held for backends: together
 * within a budget, but one fits in any case if it is alone.
 *
 * <p>Thread: owner loop. Owner: {@link Tally}.
 */
public final class HeldBytes {
  private final long limit;
  private long held;

  HeldBytes(long limit) {
    this.limit = limit;
  }

  /** Whether one more thing, of {@code bytes}, may be held. */
  public boolean admits(int bytes) {
    return held == 0 || held + bytes <= limit;
  }

  /** Bytes that are held, as a gauge. */
  public long held() {
    return held;
  }

  /** The limit of {@link #held()}. */
  public long limit() {
    return limit;
  }

  /** Counts a thing that was admitted. */
  public Hold hold(int bytes) {
    return new Hold(bytes);
  }

  /** One thing's bytes, until they are released. */
  public final class Hold {
    private int bytes;

    private Hold(int bytes) {
      this.bytes = bytes;
      held += bytes;
    }

    /** They are not held any more. Idempotent. */
    public void release() {
      held -= bytes;
      bytes = 0;
    }
  }
}
