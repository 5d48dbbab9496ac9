package io.fairlead.gateway.http;

import io.fairlead.gateway.observe.Metrics;
import io.fairlead.gateway.session.OwnerLoop;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundInvoker;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * The open connections: not more than the limit, and none for long on which no exchange is in
 * progress. That ends idle ones and those whose request never becomes complete, and spares silent
 * calls.
 *
 * <p>Thread: owner loop. Owner: the gateway verticle.
 */
public final class Connections {
  /** Above the idle times of common load balancers, so that they close first. */
  private static final Duration IDLE = Duration.ofSeconds(75);

  private static final Duration SWEEP = Duration.ofSeconds(5);

  private final Duration idle;
  private final IntSupplier limit;
  private final Metrics metrics;
  private final OwnerLoop.Timer sweep;
  private final Map<HttpConnection, Integer> exchanges = new LinkedHashMap<>();
  private final Map<HttpConnection, Long> idleSince = new LinkedHashMap<>();

  /**
   * @param limit asked anew for each connection
   */
  public Connections(OwnerLoop loop, IntSupplier limit, Metrics metrics) {
    this(loop, limit, metrics, IDLE, SWEEP);
  }

  Connections(OwnerLoop loop, IntSupplier limit, Metrics metrics, Duration idle, Duration sweep) {
    this.idle = idle;
    this.limit = limit;
    this.metrics = metrics;
    this.sweep = loop.every(sweep, this::closeIdle);
  }

  /** A connection was accepted. */
  public void opened(HttpConnection connection) {
    if (exchanges.size() >= limit.getAsInt()) {
      metrics.refused("connections");
      connection.close();
      return;
    }
    exchanges.put(connection, 0);
    idleSince.put(connection, System.nanoTime());
    connection.closeHandler(
        closed -> {
          exchanges.remove(connection);
          idleSince.remove(connection);
        });
  }

  /** An exchange begins on its connection; it ends with its response. */
  public void begin(HttpServerRequest request) {
    HttpConnection connection = request.connection();
    exchanges.computeIfPresent(connection, (known, count) -> count + 1);
    idleSince.remove(connection);
    request.response().endHandler(ended -> end(connection));
  }

  private void end(HttpConnection connection) {
    Integer left = exchanges.computeIfPresent(connection, (known, count) -> count - 1);
    if (left != null && left == 0) {
      idleSince.put(connection, System.nanoTime());
    }
  }

  private void closeIdle() {
    long due = System.nanoTime() - idle.toNanos();
    idleSince.entrySet().stream()
        .takeWhile(entry -> entry.getValue() - due <= 0)
        .map(Map.Entry::getKey)
        .toList()
        .forEach(Connections::cut);
  }

  /**
   * Ends a connection now. A client that reads nothing would hold an orderly close up for ever, and
   * closing the channel as such is an orderly close too: what is waiting to be sent goes first.
   */
  static void cut(HttpConnection connection) {
    if (connection instanceof ConnectionBase base) {
      Channel channel = base.channel();
      Optional.ofNullable(channel.pipeline().firstContext())
          .ifPresent(ChannelOutboundInvoker::close);
    }
  }

  /** Ends the exchange now, and its connection where it has one to itself. */
  static void cut(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_2) {
      request.response().reset();
    } else {
      cut(request.connection());
    }
  }

  /** Takes no more of the request, nor of what follows it on its connection. */
  static void close(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_2) {
      request.response().reset();
    } else {
      request.connection().close();
    }
  }

  public int open() {
    return exchanges.size();
  }

  /** Stops looking after them. */
  public void close() {
    sweep.cancel();
  }
}
