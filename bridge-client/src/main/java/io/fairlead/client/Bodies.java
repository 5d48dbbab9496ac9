package io.fairlead.client;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;

/** Reads a response's whole body within a bound. Thread: owner loop. */
final class Bodies {
  private Bodies() {}

  /**
   * Must be called in the turn in which the head came.
   *
   * @return fails with {@link TooLarge} at the first byte above {@code max}, or with what cut the
   *     response; the caller then ends the exchange
   */
  static Future<Buffer> whole(HttpClientResponse response, int max) {
    Promise<Buffer> whole = Promise.promise();
    Buffer body = Buffer.buffer();
    response.exceptionHandler(whole::tryFail);
    response.endHandler(end -> whole.tryComplete(body));
    response.handler(
        chunk -> {
          if (whole.future().isComplete()) {
            return;
          }
          if (body.length() + (long) chunk.length() > max) {
            whole.fail(new TooLarge(max));
          } else {
            append(body, chunk, whole);
          }
        });
    return whole.future();
  }

  /** A chunk for which there is no memory must not be missing in a body that seems whole. */
  private static void append(Buffer body, Buffer chunk, Promise<Buffer> whole) {
    try {
      body.appendBuffer(chunk);
    } catch (OutOfMemoryError e) {
      whole.tryFail(e);
      throw e;
    }
  }
}
