package io.fairlead.store;

import java.util.function.LongFunction;
import java.util.function.Supplier;

/** What a cursor leads to. */
public sealed interface Resume {

  /**
   * The stream goes on after the cursor.
   *
   * @param gap how many events after the cursor were evicted; the final response is not among them
   */
  record Continues(long gap) implements Resume {}

  /** The call completed, and its final response, which lies after the cursor, was evicted. */
  record ResultEvicted() implements Resume {}

  /** The cursor was never issued: it is negative or lies in the stream's future. */
  record NeverIssued() implements Resume {}

  /** One function per case. */
  default <T> T fold(
      LongFunction<T> continues, Supplier<T> resultEvicted, Supplier<T> neverIssued) {
    if (this instanceof Continues found) {
      return continues.apply(found.gap());
    }
    return this instanceof ResultEvicted ? resultEvicted.get() : neverIssued.get();
  }
}
