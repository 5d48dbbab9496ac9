package io.fairlead.gateway.session;

import io.fairlead.gateway.config.HeapShare;
import java.util.HashMap;
import java.util.Map;

/**
 * Live numbers of one gateway, for gauges and limits.
 *
 * <p>Thread: owner loop.
 */
public final class Tally {
  private final HeldBytes callBytes = new HeldBytes(HeapShare.bytes());
  private final HeldBytes sessionBytes = new HeldBytes(HeapShare.bytes());
  private int calls;
  private int streams;
  private int sinks;
  private final Map<String, Integer> links = new HashMap<>();

  void calls(int change) {
    calls += change;
  }

  void streams(int change) {
    streams += change;
  }

  void sinks(int change) {
    sinks += change;
  }

  void links(String backend, int change) {
    links.merge(backend, change, Integer::sum);
  }

  /** Links of sessions to one backend. */
  public int links(String backend) {
    return links.getOrDefault(backend, 0);
  }

  /** What calls in flight hold of their requests. */
  public HeldBytes callBytes() {
    return callBytes;
  }

  /** What sessions hold of what their clients said in {@code initialize}. */
  public HeldBytes sessionBytes() {
    return sessionBytes;
  }

  public int calls() {
    return calls;
  }

  public int streams() {
    return streams;
  }

  public int sinks() {
    return sinks;
  }
}
