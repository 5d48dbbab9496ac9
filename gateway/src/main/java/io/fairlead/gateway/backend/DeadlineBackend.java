package io.fairlead.gateway.backend;

import io.fairlead.client.Outcome;
import io.fairlead.gateway.auth.Principal;
import io.fairlead.gateway.config.CallTimeout;
import io.fairlead.gateway.observe.Metrics;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.Methods;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A backend whose calls have a deadline ({@code call-timeout}): when it passes, the call is
 * cancelled at the backend, and the client is told that its outcome is unknown. Time counts from
 * dispatch; progress restarts it only where there is a maximum besides.
 *
 * <p>Thread: owner loop. Owner: the gateway's verticle.
 */
public final class DeadlineBackend implements Backend {
  private final Backend backend;
  private final Vertx vertx;
  private final CallTimeout timeout;

  public DeadlineBackend(Backend backend, Vertx vertx, CallTimeout timeout) {
    this.backend = backend;
    this.vertx = vertx;
    this.timeout = timeout;
  }

  @Override
  public String name() {
    return backend.name();
  }

  @Override
  public void observe(Metrics metrics) {
    backend.observe(metrics);
  }

  @Override
  public Future<Link> open(LinkRequest request) {
    return backend.open(request).map(DeadlineLink::new);
  }

  @Override
  public Future<Void> close() {
    return backend.close();
  }

  private final class DeadlineLink implements Link {
    private final Link link;
    private final Set<DeadlineCall> calls = new LinkedHashSet<>();

    private DeadlineLink(Link link) {
      this.link = link;
    }

    @Override
    public byte[] initializeResult() {
      return link.initializeResult();
    }

    @Override
    public Dispatched call(Envelope request, Principal asker, CallListener listener) {
      DeadlineCall call = new DeadlineCall(listener, calls);
      call.dispatched = link.call(request, asker, call);
      return call;
    }

    @Override
    public void notify(byte[] notification) {
      link.notify(notification);
    }

    @Override
    public void answer(byte[] response) {
      link.answer(response);
    }

    @Override
    public Future<Void> close() {
      List.copyOf(calls).forEach(DeadlineCall::end);
      return link.close();
    }
  }

  /** One call and its timer. */
  private final class DeadlineCall implements CallListener, Link.Dispatched {
    private final CallListener listener;
    private final Set<DeadlineCall> calls;
    private final long startNanos = System.nanoTime();
    private long timer;
    private boolean ended;
    private Link.Dispatched dispatched;

    private DeadlineCall(CallListener listener, Set<DeadlineCall> calls) {
      this.listener = listener;
      this.calls = calls;
      calls.add(this);
      start(timeout.silent());
    }

    private void start(Duration wait) {
      timer = vertx.setTimer(Math.max(1, wait.toMillis()), fired -> expired());
    }

    /** It goes on, so its time begins anew, within what is left of all of it. */
    private void progressed(Duration max) {
      Duration left = max.minusNanos(System.nanoTime() - startNanos);
      vertx.cancelTimer(timer);
      start(left.compareTo(timeout.silent()) < 0 ? left : timeout.silent());
    }

    private void end() {
      ended = true;
      calls.remove(this);
      vertx.cancelTimer(timer);
    }

    private void expired() {
      end();
      dispatched.cancel("call-timeout");
      listener.lost(
          new Outcome(
              Outcome.State.UNKNOWN,
              "call_timeout",
              "The tool did not answer within "
                  + limit()
                  + " and was cancelled. The action may or may not have happened. Check before"
                  + " trying again."));
    }

    private String limit() {
      String silent = "call-timeout=" + timeout.silent().toMillis() + "ms";
      return timeout
          .max()
          .map(
              max -> silent + " of its last progress, or call-timeout-max=" + max.toMillis() + "ms")
          .orElse(silent);
    }

    @Override
    public void message(Envelope message) {
      if (!ended && message.method().equals(Methods.PROGRESS)) {
        timeout.max().ifPresent(this::progressed);
      }
      listener.message(message);
    }

    @Override
    public void settled() {
      listener.settled();
    }

    @Override
    public void polled(Duration retry) {
      listener.polled(retry);
    }

    @Override
    public void answer(Envelope response) {
      end();
      listener.answer(response);
    }

    @Override
    public void lost(Outcome outcome) {
      end();
      listener.lost(outcome);
    }

    @Override
    public void cancel(String reason) {
      end();
      dispatched.cancel(reason);
    }

    @Override
    public void pause() {
      dispatched.pause();
    }

    @Override
    public void resume() {
      dispatched.resume();
    }
  }
}
