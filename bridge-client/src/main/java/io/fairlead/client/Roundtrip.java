package io.fairlead.client;

import io.fairlead.wire.Envelope;
import io.fairlead.wire.Headers;
import io.fairlead.wire.MalformedMessage;
import io.fairlead.wire.RpcId;
import io.fairlead.wire.SseEvent;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * One request whose answer is awaited for a bounded time and never resumed: handshakes, pings,
 * notifications, the end of a session.
 *
 * <p>Thread: owner loop. Owner: whoever sends it; it cleans up after itself.
 */
final class Roundtrip {
  /**
   * What came back.
   *
   * @param answer the JSON-RPC response with the awaited id; empty if none was awaited or none came
   */
  record Reply(int status, MultiMap headers, Optional<Envelope> answer) {
    boolean isSuccess() {
      return status / 100 == 2;
    }
  }

  private final HttpTransport transport;
  private final Optional<RpcId> awaited;
  private final Promise<Reply> reply = Promise.promise();
  private Exchange exchange;
  private HttpClientResponse response;
  private Optional<SseBody> stream = Optional.empty();

  private Roundtrip(HttpTransport transport, Optional<RpcId> awaited) {
    this.transport = transport;
    this.awaited = awaited;
  }

  /**
   * Sends a request.
   *
   * @param awaited the id of the answer to wait for; empty: the status is enough
   * @return completes on the owner loop within {@code limit}; fails if no response came, or one
   *     that was cut
   */
  static Future<Reply> send(
      HttpTransport transport, Outgoing outgoing, Optional<RpcId> awaited, Duration limit) {
    return new Roundtrip(transport, awaited).start(outgoing, limit);
  }

  private Future<Reply> start(Outgoing outgoing, Duration limit) {
    long timer =
        transport
            .vertx()
            .setTimer(
                limit.toMillis(),
                id ->
                    reply.tryFail(
                        new TimeoutException("no answer within " + limit.toMillis() + " ms")));
    exchange = Exchange.start(transport, outgoing, new Head());
    return reply
        .future()
        .onComplete(
            done -> {
              transport.vertx().cancelTimer(timer);
              stream.ifPresent(SseBody::close);
              exchange.abort();
            });
  }

  private void finish(Optional<Envelope> answer) {
    reply.tryComplete(new Reply(response.statusCode(), response.headers(), answer));
  }

  private void read(Buffer body) {
    exchange.complete();
    finish(parse(body.getBytes()).filter(this::isAwaited));
  }

  private Optional<Envelope> parse(byte[] bytes) {
    try {
      return Optional.of(transport.reader().read(bytes));
    } catch (MalformedMessage e) {
      return Optional.empty();
    }
  }

  private boolean isAwaited(Envelope message) {
    return message.isResponse() && message.id().equals(awaited);
  }

  private final class Head implements Exchange.Listener {
    @Override
    public void answered(HttpClientResponse head) {
      response = head;
      int max = transport.options().maxMessage();
      if (awaited.isEmpty()) {
        finish(Optional.empty());
      } else if (SseBody.isSse(head)) {
        stream = Optional.of(new SseBody(transport, head, max, new Events()));
      } else if (SseBody.hasType(head, Headers.JSON)) {
        Bodies.whole(head, max).onSuccess(Roundtrip.this::read).onFailure(reply::tryFail);
      } else {
        finish(Optional.empty());
      }
    }

    @Override
    public void failed(Throwable cause, boolean sent) {
      reply.tryFail(sent ? new Unanswered() : cause);
    }
  }

  private final class Events implements SseBody.Listener {
    @Override
    public void event(SseEvent event) {
      parse(event.data()).filter(Roundtrip.this::isAwaited).ifPresent(a -> finish(Optional.of(a)));
    }

    @Override
    public void retry(long millis) {}

    @Override
    public void oversize() {
      reply.tryFail(new TooLarge(transport.options().maxMessage()));
    }

    @Override
    public void ended(boolean clean) {
      reply.tryFail("the stream ended before the answer");
    }
  }
}
