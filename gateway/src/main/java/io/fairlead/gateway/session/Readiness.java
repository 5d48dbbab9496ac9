package io.fairlead.gateway.session;

import io.fairlead.gateway.route.Catalog;
import io.fairlead.gateway.route.State;
import io.fairlead.gateway.route.View;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Waits for the backends that a handshake needs: until each has come up or failed, but no longer
 * than a moment once one is up, so that a dead or slow backend does not hold the others back.
 *
 * <p>Thread: owner loop.
 */
public final class Readiness {
  private static final Duration GRACE = Duration.ofMillis(500);

  /** What was begun and may not be wanted any more; idempotent. */
  public interface Wait {
    Wait OVER = () -> {};

    void cancel();
  }

  private final OwnerLoop loop;
  private final Catalog catalog;
  private final Set<Waiting> waiting = new LinkedHashSet<>();

  public Readiness(OwnerLoop loop, Catalog catalog) {
    this.loop = loop;
    this.catalog = catalog;
  }

  /** Tells {@code ready}, perhaps at once, whether any backend of {@code view} is up. */
  public Wait await(View view, Consumer<Boolean> ready) {
    if (isSettled(view)) {
      ready.accept(anyUp(view));
      return Wait.OVER;
    }
    return new Waiting(view, ready);
  }

  /** A backend's state has changed. */
  public void changed() {
    List.copyOf(waiting).stream().filter(entry -> isSettled(entry.view)).forEach(Waiting::release);
  }

  private boolean isSettled(View view) {
    return view.backends().stream()
        .noneMatch(backend -> catalog.state(backend).phase() == State.Phase.STARTING);
  }

  private boolean anyUp(View view) {
    return view.backends().stream().anyMatch(backend -> catalog.state(backend).isUp());
  }

  /** One handshake that waits. */
  private final class Waiting implements Wait {
    private final View view;
    private final Consumer<Boolean> ready;
    private final OwnerLoop.Timer grace;

    Waiting(View view, Consumer<Boolean> ready) {
      this.view = view;
      this.ready = ready;
      this.grace = loop.after(GRACE, this::enough);
      waiting.add(this);
    }

    private void enough() {
      if (anyUp(view)) {
        release();
      }
    }

    void release() {
      if (waiting.contains(this)) {
        cancel();
        ready.accept(anyUp(view));
      }
    }

    @Override
    public void cancel() {
      waiting.remove(this);
      grace.cancel();
    }
  }
}
