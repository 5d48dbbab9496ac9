package io.fairlead.gateway.http;

import io.fairlead.gateway.config.EventsConfig;
import io.fairlead.gateway.config.LimitsConfig;
import io.fairlead.gateway.observe.Exchange;
import io.fairlead.gateway.session.OwnerLoop;
import io.fairlead.gateway.session.RequestStream;
import io.fairlead.gateway.session.Services;
import io.fairlead.gateway.session.StreamSink;
import io.fairlead.store.EventKind;
import io.fairlead.wire.Headers;
import io.fairlead.wire.Revision;
import io.fairlead.wire.SseWriter;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.Optional;

/**
 * An HTTP response that is an event stream. It writes a little ahead of its client, goes on when
 * that reads, writes comments into silence, and ends a connection that has reached the configured
 * age.
 *
 * <p>Thread: owner loop. Owner: the exchange; {@link #close} is the one way out.
 */
final class SseSink implements StreamSink {
  private static final byte[] OPEN = SseWriter.comment("open");
  private static final byte[] KEEP_ALIVE = SseWriter.comment("keep-alive");
  private static final byte[] NOTHING = {};

  /**
   * So many bytes are written ahead of the client, and one event: enough to keep a transport busy.
   * More waits in the log.
   */
  private static final long AHEAD = 256 * 1024;

  /** What the clients of the Java SDK call themselves, of which 0.18 to 2.0 fail on a hint. */
  private static final String FAILS_ON_HINTS = "Java-http-client/";

  private final HttpReply reply;
  private final HttpServerResponse response;
  private final Outflow outflow;
  private final OwnerLoop loop;
  private final LimitsConfig limits;
  private final Duration retry;
  private final boolean primes;

  /** Whether the client reads a retry hint; some readers of older revisions fail on one. */
  private final boolean hints;

  private OwnerLoop.Timer keepAlive = OwnerLoop.Timer.NONE;
  private OwnerLoop.Timer age = OwnerLoop.Timer.NONE;
  private RequestStream stream;
  private long writtenNanos;
  private boolean closed;

  SseSink(HttpReply reply, Services services, Revision revision) {
    this.reply = reply;
    this.response = reply.response();
    this.outflow = reply.outflow();
    this.loop = services.loop();
    this.limits = services.config().limits();
    EventsConfig events = services.config().events();
    this.retry = events.retry();
    this.primes = revision.primes() && events.priming();
    this.hints = revision.primes() && !failsOnHints(reply.request());
  }

  private static boolean failsOnHints(HttpServerRequest request) {
    String agent = request.getHeader(HttpHeaders.USER_AGENT);
    return agent != null && agent.startsWith(FAILS_ON_HINTS);
  }

  /**
   * Sends the head and the first bytes: a priming event or a comment.
   *
   * @param cursor from which the client is to resume if it gets nothing more
   * @return whether the client was told the cursor
   */
  boolean open(Optional<String> cursor) {
    Optional<byte[]> priming = cursor.filter(known -> primes).map(this::priming);
    response
        .setStatusCode(200)
        .setChunked(true)
        .putHeader("Content-Type", Headers.SSE)
        .putHeader("Cache-Control", "no-store, no-transform")
        .putHeader("X-Accel-Buffering", "no");
    outflow.onRoom(this::pump);
    write(priming.orElse(OPEN));
    keepAlive = loop.after(limits.keepAlive(), this::tick);
    return priming.isPresent();
  }

  private byte[] priming(String cursor) {
    return hints ? SseWriter.priming(cursor, retry.toMillis()) : SseWriter.priming(cursor);
  }

  @Override
  public void attachTo(RequestStream taken, long cursor) {
    carry(taken, this);
    taken.attach(cursor, this);
  }

  /** Serves {@code taken} in the name of {@code attached}, the sink that the stream knows. */
  void carry(RequestStream taken, StreamSink attached) {
    stream = taken;
    response.closeHandler(nothing -> gone(attached));
    // A failed write is followed by the close handler; here only so that nobody else logs it.
    response.exceptionHandler(failure -> {});
    startAging(attached);
  }

  /** Whoever cannot come back keeps the connection for as long as it is known who it is. */
  private void startAging(StreamSink attached) {
    Optional<Duration> oldest = stream.startId().flatMap(resumable -> limits.streamAge());
    reply.lifetime(oldest).ifPresent(max -> age = loop.after(max, () -> aged(attached)));
  }

  /** Who came with a cursor has one; the standalone stream needs none. */
  @Override
  public boolean canReturn() {
    return true;
  }

  @Override
  public boolean full() {
    return !closed && outflow.isFull(AHEAD);
  }

  @Override
  public void event(String id, EventKind kind, byte[] message) {
    write(SseWriter.event(id, message));
  }

  @Override
  public void gap(long events) {
    write(SseWriter.comment("gap " + events));
  }

  @Override
  public void end() {
    if (close()) {
      outflow.end(NOTHING);
      reply.ended(200);
    }
  }

  @Override
  public void displaced() {
    reply.log().leg(Exchange.Leg.TAKEN_OVER);
    end();
  }

  @Override
  public void poll(Duration wait) {
    if (!closed) {
      if (hints) {
        write(SseWriter.retry(wait.toMillis()));
      }
      end();
    }
  }

  private void write(byte[] bytes) {
    if (!closed) {
      writtenNanos = System.nanoTime();
      outflow.write(bytes);
    }
  }

  private void pump() {
    if (!closed && stream != null) {
      stream.pump();
    }
  }

  /** Writes into silence that has lasted for the period, and comes back when it next may have. */
  private void tick() {
    Duration silence = Duration.ofNanos(System.nanoTime() - writtenNanos);
    Duration left = limits.keepAlive().minus(silence);
    if (left.isNegative() || left.isZero()) {
      if (outflow.isIdle()) {
        write(KEEP_ALIVE);
      }
      left = limits.keepAlive();
    }
    keepAlive = loop.after(left, this::tick);
  }

  /** A client that could not come back is kept, but not longer than it is known who it is. */
  private void aged(StreamSink attached) {
    if (stream.canBeResumed() && attached.canReturn() || reply.hasExpired()) {
      reply.log().leg(Exchange.Leg.AGED);
      stream.detach(attached);
      poll(retry);
    } else {
      startAging(attached);
    }
  }

  private void gone(StreamSink attached) {
    if (close()) {
      reply.log().leg(Exchange.Leg.CLIENT_GONE);
      reply.ended(200);
      if (attached.canReturn()) {
        stream.detach(attached);
      } else {
        stream.abandon(attached);
      }
    }
  }

  /** Stops everything of this sink. False if it was done before. */
  private boolean close() {
    if (closed) {
      return false;
    }
    closed = true;
    keepAlive.cancel();
    age.cancel();
    return true;
  }
}
