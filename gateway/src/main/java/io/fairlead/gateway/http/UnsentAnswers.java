package io.fairlead.gateway.http;

import io.fairlead.gateway.observe.Metrics;
import io.fairlead.gateway.session.OwnerLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Bytes of answers that wait for their clients to read: together within a budget, above which the
 * one that waits for longest is cut, and no end of an answer for long of which its client takes
 * nothing.
 *
 * <p>Thread: owner loop. Owner: the front.
 */
public final class UnsentAnswers {
  /** An answer goes out in parts of this size, so that it shows whether its client reads. */
  private static final int PART = 64 * 1024;

  private final OwnerLoop loop;
  private final Supplier<Duration> patience;
  private final Metrics metrics;
  private final long limit;
  private final Set<Unsent> waiting = new LinkedHashSet<>();
  private long bytes;

  /**
   * @param patience with a client that reads nothing, asked anew each time
   * @param limit of the bytes that wait
   */
  UnsentAnswers(OwnerLoop loop, Supplier<Duration> patience, Metrics metrics, long limit) {
    this.loop = loop;
    this.patience = patience;
    this.metrics = metrics;
    this.limit = limit;
  }

  /** Bytes that wait, as a gauge. */
  public long bytes() {
    return bytes;
  }

  /** The limit of {@link #bytes()}. */
  public long limit() {
    return limit;
  }

  /** Sends the one body of a response. */
  Future<Void> send(HttpReply reply, byte[] body) {
    if (body.length <= PART) {
      Future<Void> written = reply.response().end(Buffer.buffer(body));
      wrote(reply, body.length, written);
      return last(reply, written);
    }
    reply.response().putHeader("Content-Length", Integer.toString(body.length));
    Parts parts = new Parts(reply, body);
    wrote(reply, body.length, parts.done.future());
    parts.next();
    return parts.done.future();
  }

  /** So many bytes of a response were handed to the transport. */
  void wrote(HttpReply reply, int length, Future<Void> written) {
    if (written.isComplete()) {
      return;
    }
    Unsent unsent = new Unsent(reply, length);
    waiting.add(unsent);
    bytes += length;
    written.onComplete(sent -> forget(unsent));
    while (bytes > limit) {
      Unsent oldest = waiting.iterator().next();
      forget(oldest);
      metrics.refused("unsent_bytes");
      oldest.reply.cut();
    }
  }

  /** Nothing follows on this response; cut it if its client does not take what is left. */
  Future<Void> last(HttpReply reply, Future<Void> written) {
    if (!written.isComplete()) {
      OwnerLoop.Timer slow = loop.after(patience.get(), reply::cut);
      written.onComplete(sent -> slow.cancel());
    }
    return written;
  }

  private void forget(Unsent unsent) {
    if (waiting.remove(unsent)) {
      bytes -= unsent.length;
    }
  }

  /** What one response waits with; each is itself alone. */
  private static final class Unsent {
    private final HttpReply reply;
    private final int length;

    Unsent(HttpReply reply, int length) {
      this.reply = reply;
      this.length = length;
    }
  }

  /** A long body on its way. */
  private final class Parts {
    private final HttpReply reply;
    private final HttpServerResponse response;
    private final byte[] body;
    private final Promise<Void> done = Promise.promise();
    private OwnerLoop.Timer slow = OwnerLoop.Timer.NONE;
    private int sent;

    Parts(HttpReply reply, byte[] body) {
      this.reply = reply;
      this.response = reply.response();
      this.body = body;
      response.drainHandler(drained -> next());
      done.future().onComplete(ended -> slow.cancel());
    }

    /** Goes on as far as the client reads; told again when it has read. */
    void next() {
      slow.cancel();
      while (body.length - sent > PART && !response.writeQueueFull()) {
        response.write(part()).onFailure(done::tryFail);
      }
      if (done.future().isComplete()) {
        return;
      }
      if (body.length - sent > PART) {
        slow.cancel();
        slow = loop.after(patience.get(), reply::cut);
      } else if (sent < body.length) {
        last(reply, response.end(part())).onSuccess(done::tryComplete).onFailure(done::tryFail);
      }
    }

    private Buffer part() {
      int from = sent;
      sent = Math.min(body.length, from + PART);
      return Buffer.buffer(Arrays.copyOfRange(body, from, sent));
    }
  }
}
