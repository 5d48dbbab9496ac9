package io.fairlead.wire;

/**
 * The bounds of one JSON message.
 *
 * @param maxDepth nested arrays and objects
 * @param maxMembers members of one object, and elements of one array
 * @param maxDigits characters of one number
 * @param maxIdBytes bytes of what outlives its message: the JSON-RPC id, method and progress token
 */
public record WireLimits(int maxDepth, int maxMembers, int maxDigits, int maxIdBytes) {
  /**
   * For messages whose bytes are bounded where they are framed. No gateway can be configured to
   * take from clients what is above these: an answer that was taken must not be refused behind it.
   */
  public static final WireLimits WIDE = new WireLimits(1000, 100_000, 1000, 4096);
}
