package io.fairlead.store;

import java.util.function.LongFunction;
import java.util.function.Supplier;

/** What a cursor leads to. */
public sealed interface Resume {

  /** The stream goes on after the cursor; {@code gap} events after it were evicted. */
  record Continues(long gap) implements Resume {}

  /** The stream has ended and its final response was evicted. */
  record ResultEvicted() implements Resume {}

  /** The cursor was never issued: it lies in the stream's future. */
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
