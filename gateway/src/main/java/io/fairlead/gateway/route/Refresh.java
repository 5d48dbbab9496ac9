package io.fairlead.gateway.route;

import io.vertx.core.Completable;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Keeps one list of one link fresh: one read at a time, with a rest before the next, however often
 * it is asked for; a read that failed is repeated with back-off.
 *
 * <p>Thread: owner loop. Owner: the {@link SharedLink}, for as long as that link is open.
 */
final class Refresh {
  private final Vertx vertx;
  private final Pace pace;
  private final Supplier<Listing> source;
  private final Completable<List<Item>> results;
  private Optional<Listing> reading = Optional.empty();
  private Optional<Long> rest = Optional.empty();
  private boolean wanted;
  private boolean closed;
  private int failures;

  /**
   * @param source begins one read
   * @param results gets the result of each read; not called after {@link #close}
   */
  Refresh(Vertx vertx, Pace pace, Supplier<Listing> source, Completable<List<Item>> results) {
    this.vertx = vertx;
    this.pace = pace;
    this.source = source;
    this.results = results;
  }

  /** Asks for a read that begins after now. */
  void request() {
    wanted = true;
    next();
  }

  /** Ends the read that is under way, and starts no other. Idempotent. */
  void close() {
    closed = true;
    rest.ifPresent(vertx::cancelTimer);
    reading.ifPresent(Listing::cancel);
  }

  private void next() {
    if (closed || !wanted || reading.isPresent() || rest.isPresent()) {
      return;
    }
    wanted = false;
    restFor(pace.restMillis());
    Listing listing = source.get();
    reading = Optional.of(listing);
    listing.items().onComplete(this::ended);
  }

  private void ended(List<Item> items, Throwable failure) {
    if (closed) {
      return;
    }
    reading = Optional.empty();
    if (failure == null) {
      failures = 0;
      results.complete(items, null);
    } else {
      failures++;
      wanted = true;
      restFor(Math.max(pace.restMillis(), pace.backOff(failures)));
      results.complete(null, failure);
    }
    next();
  }

  private void restFor(long millis) {
    rest.ifPresent(vertx::cancelTimer);
    rest =
        Optional.of(
            vertx.setTimer(
                millis,
                id -> {
                  rest = Optional.empty();
                  next();
                }));
  }
}
