package io.fairlead.client;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.Map;

/**
 * One HTTP request on one connection, up to the head of its response. It knows whether the first
 * byte may have left, and it never sends anything twice.
 *
 * <p>Thread: owner loop. Owner: the call, stream or round trip that started it.
 */
final class Exchange {
  /** Told on the owner loop, never before {@link #start} has returned. */
  interface Listener {
    /** From now on bytes may leave. */
    default void writing() {}

    /** All bytes were handed to the network. */
    default void accepted() {}

    /** The head has come; its handlers must be set before this returns. Terminal. */
    void answered(HttpClientResponse response);

    /** No head can come. Terminal. */
    void failed(Throwable cause, boolean sent);
  }

  private final HttpTransport transport;
  private final Listener listener;
  private Map<String, String> credentials = Map.of();
  private HttpClientRequest request;
  private long writeTimer = -1;
  private boolean answered;
  private boolean ended;

  private Exchange(HttpTransport transport, Listener listener) {
    this.transport = transport;
    this.listener = listener;
  }

  static Exchange start(HttpTransport transport, Outgoing outgoing, Listener listener) {
    Exchange exchange = new Exchange(transport, listener);
    transport.vertx().runOnContext(v -> exchange.connect(outgoing));
    return exchange;
  }

  /** No field holds what is sent, which may be large, while the answer is awaited. */
  private void connect(Outgoing outgoing) {
    if (ended) {
      return;
    }
    transport
        .options()
        .credentials()
        .headers()
        .compose(headers -> connect(outgoing, headers))
        .onComplete(opened -> connected(opened, outgoing.body()));
  }

  private Future<HttpClientRequest> connect(Outgoing outgoing, Map<String, String> headers) {
    credentials = headers;
    return ended ? Future.failedFuture("aborted") : transport.connect(outgoing, headers);
  }

  private void connected(AsyncResult<HttpClientRequest> opened, byte[] body) {
    if (ended) {
      if (opened.succeeded()) {
        opened.result().exceptionHandler(cause -> {});
        discard(opened.result());
      }
      return;
    }
    if (opened.failed()) {
      ended = true;
      listener.failed(opened.cause(), false);
      return;
    }
    write(opened.result(), body);
  }

  private void write(HttpClientRequest opened, byte[] body) {
    request = opened;
    request.exceptionHandler(this::broken);
    request.connection().exceptionHandler(cause -> {});
    request.response().onSuccess(this::head).onFailure(this::broken);
    listener.writing();
    Duration limit = transport.timing().write();
    writeTimer =
        transport.vertx().setTimer(limit.toMillis(), id -> broken(new StalledWrite(limit)));
    Future<Void> written = body.length == 0 ? request.end() : request.end(Buffer.buffer(body));
    written.onSuccess(v -> written()).onFailure(this::broken);
  }

  private void written() {
    transport.vertx().cancelTimer(writeTimer);
    if (!ended && !answered) {
      listener.accepted();
    }
  }

  private void head(HttpClientResponse response) {
    response.exceptionHandler(cause -> {});
    transport.vertx().cancelTimer(writeTimer);
    if (ended) {
      return;
    }
    answered = true;
    listener.answered(response);
  }

  private void broken(Throwable cause) {
    if (ended || answered) {
      return;
    }
    abort();
    listener.failed(cause, true);
  }

  /** The credentials that were sent. */
  Map<String, String> credentials() {
    return credentials;
  }

  /** The response was read to its end: the connection may be used again. */
  void complete() {
    ended = true;
  }

  /** Ends the exchange: nothing more is sent or told, and its connection is closed. Idempotent. */
  void abort() {
    if (ended) {
      return;
    }
    ended = true;
    transport.vertx().cancelTimer(writeTimer);
    if (request != null) {
      discard(request);
    }
  }

  /**
   * A reset alone would leave a connection that was never written to for the next request, and an
   * orderly close would wait for a server that takes no bytes.
   */
  private static void discard(HttpClientRequest request) {
    request.connection().exceptionHandler(cause -> {});
    request.reset();
    if (request.connection() instanceof ConnectionBase connection) {
      connection.channelHandlerContext().close();
    }
  }

  /** A write that the server did not take. */
  private static final class StalledWrite extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StalledWrite(Duration limit) {
      super("the server took no bytes for " + limit.toMillis() + " ms", null, false, false);
    }
  }
}
