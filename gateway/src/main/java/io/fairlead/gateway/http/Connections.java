package io.fairlead.gateway.http;

import io.fairlead.gateway.config.LimitsConfig;
import io.fairlead.gateway.observe.Metrics;
import io.fairlead.gateway.session.OwnerLoop;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundInvoker;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.timeout.IdleStateHandler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The open connections: not more than the limits, and none for long on which no exchange is in
 * progress. That ends idle ones and those whose request never becomes complete, and spares silent
 * calls.
 *
 * <p>Thread: owner loop. Owner: the gateway verticle.
 */
public final class Connections {
  /** Above the idle times of common load balancers, so that they close first. */
  private static final Duration IDLE = Duration.ofSeconds(75);

  private static final Duration SWEEP = Duration.ofSeconds(5);

  // error codes of RFC 9113, section 7
  private static final long NO_ERROR = 0;
  private static final long CANCEL = 8;

  private final Duration idle;
  private final Supplier<LimitsConfig> limits;
  private final Metrics metrics;
  private final OwnerLoop.Timer sweep;
  private final Map<HttpConnection, Integer> exchanges = new LinkedHashMap<>();
  private final Map<HttpConnection, Long> idleSince = new LinkedHashMap<>();
  private final Map<String, Integer> byAddress = new HashMap<>();

  /**
   * @param limits asked anew for each connection
   */
  public Connections(OwnerLoop loop, Supplier<LimitsConfig> limits, Metrics metrics) {
    this(loop, limits, metrics, IDLE, SWEEP);
  }

  Connections(
      OwnerLoop loop,
      Supplier<LimitsConfig> limits,
      Metrics metrics,
      Duration idle,
      Duration sweep) {
    this.idle = idle;
    this.limits = limits;
    this.metrics = metrics;
    this.sweep = loop.every(sweep, this::closeIdle);
  }

  /** A connection was accepted. */
  public void opened(HttpConnection connection) {
    String address = PeerAddress.of(connection.remoteAddress());
    if (exchanges.size() >= limits.get().connections()) {
      refuse(connection, "connections");
      return;
    }
    int ownLimit = limits.get().connectionsPerAddress();
    if (ownLimit > 0 && byAddress.getOrDefault(address, 0) >= ownLimit) {
      refuse(connection, "connections_per_address");
      return;
    }
    exchanges.put(connection, 0);
    byAddress.merge(address, 1, Integer::sum);
    idleSince.put(connection, System.nanoTime());
    channel(connection).ifPresent(channel -> takeOver(channel, connection));
    connection.closeHandler(closed -> closed(connection, address));
  }

  private void refuse(HttpConnection connection, String limit) {
    metrics.refused(limit);
    cut(connection);
  }

  private void closed(HttpConnection connection, String address) {
    if (exchanges.remove(connection) != null) {
      idleSince.remove(connection);
      byAddress.computeIfPresent(address, (known, count) -> count == 1 ? null : count - 1);
    }
  }

  /** An exchange begins on its connection; it ends with its response. */
  public void begin(HttpServerRequest request) {
    if (request.version() != HttpVersion.HTTP_2) {
      HttpConnection connection = request.connection();
      begin(connection);
      request.response().endHandler(ended -> end(connection));
    }
  }

  private void takeOver(Channel channel, HttpConnection connection) {
    // the transport's own timer saw to it that the connection came so far
    if (channel.pipeline().get(IdleStateHandler.class) != null) {
      channel.pipeline().remove(IdleStateHandler.class);
    }
    KnownVersions.watch(channel);
    Http2ConnectionHandler http2 = channel.pipeline().get(Http2ConnectionHandler.class);
    if (http2 != null) {
      http2.connection().addListener(new Streams(connection));
    }
  }

  /** With HTTP/2 a stream may end without a response, and only its connection always knows. */
  private final class Streams extends Http2ConnectionAdapter {
    private final HttpConnection connection;

    private Streams(HttpConnection connection) {
      this.connection = connection;
    }

    @Override
    public void onStreamActive(Http2Stream stream) {
      begin(connection);
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
      end(connection);
    }
  }

  private void begin(HttpConnection connection) {
    exchanges.computeIfPresent(connection, (known, count) -> count + 1);
    idleSince.remove(connection);
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
    channel(connection)
        .flatMap(channel -> Optional.ofNullable(channel.pipeline().firstContext()))
        .ifPresent(ChannelOutboundInvoker::close);
  }

  /** Ends the exchange now, and its connection where it has one to itself. */
  static void cut(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_2) {
      request.response().reset(CANCEL);
    } else {
      cut(request.connection());
    }
  }

  /** Takes no more of the request, nor of what follows it on its connection. */
  static void close(HttpServerRequest request) {
    if (request.version() != HttpVersion.HTTP_2) {
      request.connection().close();
    } else if (!request.isEnded()) {
      // the answer is complete, and the rest of the request is not wanted
      request.response().reset(NO_ERROR);
    }
  }

  private static Optional<Channel> channel(HttpConnection connection) {
    return connection instanceof ConnectionBase base
        ? Optional.of(base.channel())
        : Optional.empty();
  }

  public int open() {
    return exchanges.size();
  }

  /** How many the address has that has most. */
  public int ofOneAddress() {
    return byAddress.values().stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  /** Stops looking after them. */
  public void close() {
    sweep.cancel();
  }
}
