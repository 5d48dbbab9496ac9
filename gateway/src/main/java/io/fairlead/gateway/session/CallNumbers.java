package io.fairlead.gateway.session;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The numbers that one session's client gave to its calls ({@code Fairlead-Call}), so that it can
 * ask about a call of which it got no byte back: each was received, or is still being received, or
 * was fenced and will never be dispatched. What lies below the window is forgotten, and said to be.
 *
 * <p>Thread: owner loop. Owner: {@link Session}.
 */
public final class CallNumbers {
  /** Numbers that are remembered; a client that makes more calls than this forgets the oldest. */
  static final int WINDOW = 65_536;

  private static final Pattern NAME = Pattern.compile("c[1-9][0-9]{0,15}");

  /** What is known of a number. */
  public enum Standing {
    /** It was not heard of before. */
    FRESH,
    /** Its POST has begun and is not complete. */
    RECEIVING,
    /** Its call was dispatched, or answered by the gateway. */
    DISPATCHED,
    /** Its call was not dispatched, and never will be. */
    FENCED,
    /** It is too old to be known. */
    FORGOTTEN
  }

  /** The number of the first bit. */
  private long base;

  private BitSet dispatched = new BitSet();
  private BitSet fenced = new BitSet();

  /** Numbers whose POST is not complete, and who waits for its end. */
  private final Map<Long, List<Runnable>> receiving = new HashMap<>(0);

  /** The name of the stream of the call with this number. */
  static String streamName(long number) {
    return "c" + number;
  }

  /** The number that a stream's name stands for, if it does. */
  public static OptionalLong ofStream(String name) {
    return NAME.matcher(name).matches()
        ? OptionalLong.of(Long.parseLong(name.substring(1)))
        : OptionalLong.empty();
  }

  /** What is known of {@code number}. */
  public Standing standing(long number) {
    if (receiving.containsKey(number)) {
      return Standing.RECEIVING;
    }
    if (number < base) {
      return Standing.FORGOTTEN;
    }
    if (number - base >= WINDOW) {
      return Standing.FRESH;
    }
    int bit = (int) (number - base);
    if (fenced.get(bit)) {
      return Standing.FENCED;
    }
    return dispatched.get(bit) ? Standing.DISPATCHED : Standing.FRESH;
  }

  /** The head of the number's first POST has arrived. */
  public void receive(long number) {
    receiving.put(number, new ArrayList<>(0));
  }

  /** The POST was complete, and its call went on its way: whoever waits is told. */
  public void dispatched(long number) {
    slideTo(number);
    if (number >= base) {
      dispatched.set((int) (number - base));
    }
    release(number);
  }

  /** No call with this number was dispatched, and none will be: whoever waits is told. */
  public void fence(long number) {
    slideTo(number);
    if (number >= base) {
      fenced.set((int) (number - base));
    }
    release(number);
  }

  private void release(long number) {
    List<Runnable> waiting = receiving.remove(number);
    if (waiting != null) {
      waiting.forEach(Runnable::run);
    }
  }

  /** Runs {@code waiter} once the POST that is being received has come to either end. */
  public void await(long number, Runnable waiter) {
    receiving.get(number).add(waiter);
  }

  /** Makes room for {@code number} by forgetting the lowest. */
  private void slideTo(long number) {
    long shift = number - base - WINDOW + 1;
    if (shift <= 0) {
      return;
    }
    int gone = (int) Math.min(shift, WINDOW);
    dispatched = dispatched.get(gone, Math.max(gone, dispatched.length()));
    fenced = fenced.get(gone, Math.max(gone, fenced.length()));
    base += shift;
  }
}
