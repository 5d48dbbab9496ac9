package io.fairlead.gateway.session;

/**
 * Live numbers of one gateway, for gauges and limits.
 *
 * <p>Thread: owner loop.
 */
public final class Tally {
  private int calls;
  private int streams;
  private int sinks;

  void calls(int change) {
    calls += change;
  }

  void streams(int change) {
    streams += change;
  }

  void sinks(int change) {
    sinks += change;
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
