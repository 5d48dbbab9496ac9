package io.fairlead.client;

import io.fairlead.wire.Headers;
import io.vertx.core.AsyncResult;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Asks at intervals, on a connection of its own, whether the server still is the run that has our
 * calls: a Fairlead by its health page, any other by a ping in the session. A slow server is not a
 * dead one, and a lost probe does not count while the server's streams deliver bytes.
 *
 * <p>Thread: owner loop. Owner: {@link HttpLink}.
 */
final class InstanceMonitor {
  private final HttpTransport transport;
  private final Conversation conversation;
  private final Probing probing;
  private final BooleanSupplier hasCalls;
  private final Consumer<Session> whenGone;
  private long timer = -1;
  private boolean waitsIdle;
  private boolean hasHealthPage = true;
  private boolean down;
  private int failures;
  private boolean closed;

  /**
   * @param hasCalls whether somebody waits for the server
   * @param whenGone told each time that it is certain that nothing of a session can be answered
   */
  InstanceMonitor(
      HttpTransport transport,
      Conversation conversation,
      Probing probing,
      BooleanSupplier hasCalls,
      Consumer<Session> whenGone) {
    this.transport = transport;
    this.conversation = conversation;
    this.probing = probing;
    this.hasCalls = hasCalls;
    this.whenGone = whenGone;
    schedule();
  }

  private void schedule() {
    if (closed) {
      return;
    }
    boolean suspects = down || failures > 0;
    waitsIdle = !hasCalls.getAsBoolean() && (!suspects || probing.idle().isZero());
    Duration wait = waitsIdle ? probing.idle() : probing.busy();
    if (wait.isZero()) {
      return;
    }
    timer = transport.vertx().setTimer(Math.max(1, wait.toMillis()), fired -> probe());
  }

  /** A call began: from now on the server is probed often. */
  void called() {
    if (waitsIdle) {
      transport.vertx().cancelTimer(timer);
      schedule();
    }
  }

  private void probe() {
    waitsIdle = false;
    Session asked = conversation.session();
    if (asked.hasInstance() && hasHealthPage) {
      long sinceNanos = System.nanoTime();
      Roundtrip.send(transport, Outgoing.health(), Optional.empty(), transport.timing().probe())
          .onComplete(reply -> probed(asked, sinceNanos, reply));
    } else {
      prove(asked);
    }
  }

  private void probed(Session asked, long sinceNanos, AsyncResult<Roundtrip.Reply> done) {
    if (closed) {
      return;
    }
    if (done.failed() || done.result().status() >= 500) {
      failed(asked, sinceNanos);
      return;
    }
    Optional<String> instance = Optional.ofNullable(done.result().headers().get(Headers.INSTANCE));
    if (instance.isEmpty()) {
      // something before the server answers for its health page
      hasHealthPage = false;
    }
    failures = 0;
    if (down || instance.isEmpty() || asked.isAnotherInstance(instance)) {
      prove(asked);
    } else {
      schedule();
    }
  }

  private void failed(Session asked, long sinceNanos) {
    if (!transport.heardSince(sinceNanos)) {
      failures++;
    }
    if (failures >= probing.failures()) {
      gone(asked);
    }
    schedule();
  }

  /** Whether the server knows the session decides, since one address can be served by several. */
  private void prove(Session asked) {
    long sinceNanos = System.nanoTime();
    conversation.prove(sinceNanos).onComplete(proven -> proven(asked, sinceNanos, proven));
  }

  private void proven(Session asked, long sinceNanos, AsyncResult<Session> proven) {
    if (closed) {
      return;
    }
    if (proven.failed() || proven.result() != asked) {
      gone(asked);
      down = proven.failed();
      schedule();
    } else if (conversation.isServerAbsent()) {
      failed(asked, sinceNanos);
    } else {
      down = false;
      failures = 0;
      schedule();
    }
  }

  private void gone(Session asked) {
    down = true;
    failures = 0;
    conversation.doubt();
    whenGone.accept(asked);
  }

  /** No further probe is sent. Idempotent. */
  void close() {
    closed = true;
    transport.vertx().cancelTimer(timer);
  }
}
