package io.fairlead.gateway.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Arrays;

/**
 * One body that is being read. Its array grows by doubling up to the announced length or the
 * largest allowed, so that at most twice that size is held at any moment, however small the pieces
 * in which the body comes.
 *
 * <p>Thread: owner loop. Owner: {@link BodyReader}.
 */
final class BodyRead {
  private static final int FIRST_BYTES = 1024;
  private static final byte[] NONE = {};

  private final BodyReader reader;
  private final HttpServerRequest request;
  private final int capacity;

  /** Let go at its end: the request keeps this object, and a promise what it was completed with. */
  private Promise<byte[]> promise = Promise.promise();

  private byte[] bytes = NONE;
  private int size;
  private boolean done;

  BodyRead(BodyReader reader, HttpServerRequest request) {
    this.reader = reader;
    this.request = request;
    this.capacity = Framing.length(request).map(Long::intValue).orElse(reader.maxBytes());
  }

  Future<byte[]> start(Vertx vertx) {
    Future<byte[]> read = promise.future();
    long timer =
        vertx.setTimer(
            reader.timeout().toMillis(), fired -> refuse(Refusals.tooSlow(reader.timeout())));
    request.handler(this::append).endHandler(end -> complete()).exceptionHandler(this::fail);
    if (Framing.expectsInvitation(request)) {
      request.response().writeContinue();
    }
    request.resume();
    return read.onComplete(ended -> vertx.cancelTimer(timer));
  }

  private void append(Buffer chunk) {
    if (done) {
      return;
    }
    long total = (long) size + chunk.length();
    if (total > reader.maxBytes()) {
      refuse(Refusals.tooLarge(reader.maxBytes()));
    } else if (!grow((int) total)) {
      refuse(Refusals.overloaded("body_bytes"));
    } else {
      chunk.getBytes(bytes, size);
      size = (int) total;
    }
  }

  private boolean grow(int needed) {
    if (needed <= bytes.length) {
      return true;
    }
    long doubled = Math.max(FIRST_BYTES, 2L * bytes.length);
    int length = (int) Math.max(needed, Math.min(capacity, doubled));
    if (!reader.reserve(length - bytes.length)) {
      return false;
    }
    bytes = Arrays.copyOf(bytes, length);
    return true;
  }

  private void complete() {
    if (!done) {
      byte[] body = size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
      close().complete(body);
    }
  }

  private void refuse(Refusal refusal) {
    if (!done) {
      request.pause();
      close().fail(new Refused(refusal));
    }
  }

  /** Whatever the transport says, nothing more of this body will come. */
  private void fail(Throwable cause) {
    if (!done) {
      close().fail(new ClientGone());
    }
  }

  private Promise<byte[]> close() {
    Promise<byte[]> ended = promise;
    promise = null;
    done = true;
    reader.release(bytes.length);
    bytes = NONE;
    return ended;
  }
}
