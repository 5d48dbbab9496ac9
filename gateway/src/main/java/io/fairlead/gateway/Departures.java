package io.fairlead.gateway;

import io.fairlead.gateway.session.OwnerLoop;
import io.fairlead.gateway.session.Retirement;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The backends that were removed or replaced: each is closed when its last call has ended, or when
 * the time for that is over.
 *
 * <p>Thread: owner loop. Owner: {@link Assembly}.
 */
final class Departures {
  private static final Duration POLL = Duration.ofMillis(50);

  private final OwnerLoop loop;
  private final Backends backends;
  private final Set<Departure> all = new LinkedHashSet<>();

  Departures(OwnerLoop loop, Backends backends) {
    this.loop = loop;
    this.backends = backends;
  }

  /**
   * @param sharedLink closes the catalog's link
   * @param drain how long calls may go on
   */
  void add(Retirement retirement, Supplier<Future<Void>> sharedLink, Duration drain) {
    Departure departure = new Departure(retirement, sharedLink, drain);
    all.add(departure);
    departure.look();
  }

  /** How many there are. */
  int size() {
    return all.size();
  }

  /** Closes them now. */
  Future<Void> end() {
    return Future.join(List.copyOf(all).stream().map(Departure::end).toList())
        .otherwiseEmpty()
        .mapEmpty();
  }

  private final class Departure {
    private final Retirement retirement;
    private final Supplier<Future<Void>> sharedLink;
    private final OwnerLoop.Timer poll;
    private final OwnerLoop.Timer limit;

    Departure(Retirement retirement, Supplier<Future<Void>> sharedLink, Duration drain) {
      this.retirement = retirement;
      this.sharedLink = sharedLink;
      this.poll = loop.every(POLL, this::look);
      this.limit = loop.after(drain, this::end);
    }

    void look() {
      if (retirement.isOver()) {
        end();
      }
    }

    Future<Void> end() {
      poll.cancel();
      limit.cancel();
      if (!all.remove(this)) {
        return Future.succeededFuture();
      }
      return retirement
          .end()
          .eventually(sharedLink::get)
          .eventually(() -> backends.close(retirement.backend()));
    }
  }
}
