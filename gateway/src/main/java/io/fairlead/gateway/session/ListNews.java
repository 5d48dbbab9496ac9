package io.fairlead.gateway.session;

import io.fairlead.gateway.route.Answers;
import io.fairlead.store.EventKind;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Tells one session's client that lists have changed: at once, but then not again for a while,
 * however often backends say so.
 *
 * <p>Thread: owner loop. Owner: {@link Session}.
 */
final class ListNews {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final OwnerLoop loop;
  private final Streams streams;
  private final Set<String> told = new LinkedHashSet<>(0);
  private final Set<String> waiting = new LinkedHashSet<>(0);
  private OwnerLoop.Timer pause = OwnerLoop.Timer.NONE;

  ListNews(OwnerLoop loop, Streams streams) {
    this.loop = loop;
    this.streams = streams;
  }

  /** The lists that these notifications are about have changed. */
  void changed(Collection<String> methods) {
    if (streams.ifStandalone().isEmpty()) {
      return;
    }
    for (String method : methods) {
      if (told.contains(method)) {
        waiting.add(method);
      } else {
        tellNow(method);
      }
    }
  }

  private void tellNow(String method) {
    if (told.isEmpty()) {
      pause = loop.after(PAUSE, this::goOn);
    }
    told.add(method);
    streams
        .ifStandalone()
        .ifPresent(stream -> stream.append(EventKind.NOTIFICATION, Answers.notification(method)));
  }

  private void goOn() {
    Set<String> next = Set.copyOf(waiting);
    told.clear();
    waiting.clear();
    next.forEach(this::tellNow);
  }

  /** Tells nothing more. Idempotent. */
  void close() {
    pause.cancel();
    waiting.clear();
  }
}
