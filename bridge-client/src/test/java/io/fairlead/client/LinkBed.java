package io.fairlead.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.RpcId;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A link on its own event loop, for tests to drive from their thread, with waits short enough for
 * tests.
 *
 * <p>Thread: the test's.
 */
final class LinkBed implements AutoCloseable, HttpLink.Listener {
  static final Timing QUICK =
      new Timing(
          Duration.ofMillis(20),
          Duration.ofMillis(160),
          Duration.ofMillis(10),
          Duration.ofSeconds(1),
          Duration.ofMillis(300),
          Duration.ofSeconds(15),
          Duration.ofSeconds(2),
          Duration.ofSeconds(1),
          Duration.ofMillis(500));

  private static final byte[] PARAMS =
      ("{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
              + "\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}")
          .getBytes(UTF_8);

  final Vertx vertx = Vertx.vertx();
  final Context loop = vertx.getOrCreateContext();
  final HttpTransport transport;
  final HttpLink link;
  final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
  private final BlockingQueue<Throwable> unhandled = new LinkedBlockingQueue<>();
  final BlockingQueue<String> events = new LinkedBlockingQueue<>();

  LinkBed(URI url) {
    this(options(url, Credentials.fixed(Map.of())));
  }

  LinkBed(HttpLinkOptions options) {
    vertx.exceptionHandler(unhandled::add);
    transport = onLoop(() -> Future.succeededFuture(new HttpTransport(vertx, options)));
    link = onLoop(() -> HttpLink.open(transport, PARAMS, this));
  }

  static HttpLinkOptions options(URI url, Credentials credentials) {
    return new HttpLinkOptions(url, credentials, Duration.ofSeconds(2), 40 << 20, 500, QUICK);
  }

  @Override
  public void message(Envelope message) {
    messages.add(new String(message.bytes(), UTF_8));
  }

  @Override
  public void renewed(byte[] initializeResult) {
    events.add("renewed");
  }

  @Override
  public void closed(String reason) {
    events.add("closed " + reason);
  }

  <T> T onLoop(Supplier<Future<T>> work) {
    Promise<T> result = Promise.promise();
    loop.runOnContext(v -> Future.succeededFuture().compose(x -> work.get()).onComplete(result));
    try {
      return result.future().await(20, TimeUnit.SECONDS);
    } catch (java.util.concurrent.TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  Dispatch call(String method, int id, CallRecorder recorder) {
    byte[] message =
        ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":{}}")
            .getBytes(UTF_8);
    CallRequest request = new CallRequest(message, RpcId.of(id), method, Map.of());
    return onLoop(() -> Future.succeededFuture(link.call(request, recorder)));
  }

  CallRecorder tool(int id) {
    CallRecorder recorder = new CallRecorder();
    call("tools/call", id, recorder);
    return recorder;
  }

  CallRecorder read(int id) {
    CallRecorder recorder = new CallRecorder();
    call("tools/list", id, recorder);
    return recorder;
  }

  void run(Runnable work) {
    onLoop(
        () -> {
          work.run();
          return Future.succeededFuture();
        });
  }

  /** Waits for what nobody on the loop has handled, which is then not held against the test. */
  Throwable takeUnhandled() {
    until(() -> !unhandled.isEmpty());
    return unhandled.remove();
  }

  /** Waits for a condition, with a bound. */
  static void until(BooleanSupplier condition) {
    until(Duration.ofSeconds(10), condition);
  }

  static void until(Duration bound, BooleanSupplier condition) {
    long end = System.nanoTime() + bound.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("the condition did not come true within " + bound);
      }
      Thread.onSpinWait();
      Thread.yield();
    }
  }

  @Override
  public void close() {
    onLoop(link::close);
    onLoop(transport::close);
    vertx.close().await();
    unhandled.forEach(
        cause -> {
          throw new AssertionError(cause);
        });
  }
}
