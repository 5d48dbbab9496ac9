package io.fairlead.gateway.config;

/**
 * The part of the heap that each of the things may take that together fill it: events, bodies,
 * calls, what clients said in {@code initialize}, what waits for clients, what waits for children.
 * They are fewer than the parts, so that all of them together leave room for the rest.
 *
 * <p>Thread: any; stateless.
 */
public final class HeapShare {
  private static final int PARTS = 8;

  private HeapShare() {}

  /** Bytes of one part. */
  public static long bytes() {
    return Runtime.getRuntime().maxMemory() / PARTS;
  }
}
