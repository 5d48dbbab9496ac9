package io.fairlead.gateway.session;

/**
 * The streams that one session forgot last, so that a client that resumes one of them is told that
 * it is gone, and not that it never was. Names are kept as hashes: a foreign name is taken for one
 * of them once in 2^26 times, and nothing is given away then.
 *
 * <p>Thread: owner loop. Owner: {@link Streams}.
 */
final class ForgottenStreams {
  private static final int MAX = 64;

  private int[] hashes = {};
  private int next;

  void add(String name) {
    if (hashes.length == 0) {
      hashes = new int[MAX];
    }
    hashes[next] = name.hashCode();
    next = (next + 1) % MAX;
  }

  boolean contains(String name) {
    for (int hash : hashes) {
      if (hash == name.hashCode() && hash != 0) {
        return true;
      }
    }
    return false;
  }
}
