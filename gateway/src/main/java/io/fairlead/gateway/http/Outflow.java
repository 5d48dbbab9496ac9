package io.fairlead.gateway.http;

import io.fairlead.gateway.session.OwnerLoop;
import io.netty.buffer.Unpooled;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;

/**
 * What one response has yet to send: its messages go out in parts, so that it shows whether the
 * client reads, and count as unsent bytes until then. Who is told that it is full is told to ask
 * again; while somebody waits for that, or for the end, a client that takes nothing is cut.
 *
 * <p>The transport is asked for nothing but when a write is done: its own queue counts writes, not
 * bytes, and tells of room only those who found it full. A response is full while a part is unsent,
 * and each part gets done or fails, so there is always one more that wakes whoever waits.
 *
 * <p>Thread: owner loop. Owner: {@link HttpReply}; a response that is closed fails what is unsent.
 */
final class Outflow {
  private static final int PART = 64 * 1024;

  private final HttpServerResponse response;
  private final UnsentAnswers budget;
  private final Runnable cut;
  private final Promise<Void> ended = Promise.promise();
  private Runnable room = () -> {};
  private OwnerLoop.Timer slow = OwnerLoop.Timer.NONE;
  private Buffer last = Buffer.buffer();
  private long unsent;

  /** Whether somebody was told that it is full, and nothing was sent since. */
  private boolean awaited;

  /** Whether nothing is written any more, but for the last part. */
  private boolean ending;

  private boolean isCut;

  /**
   * @param cut ends the exchange of a client that takes nothing
   */
  Outflow(HttpServerResponse response, UnsentAnswers budget, Runnable cut) {
    this.response = response;
    this.budget = budget;
    this.cut = cut;
  }

  /** Whether everything that was written is sent. */
  boolean isIdle() {
    return unsent == 0;
  }

  /** Has {@code ready} run, in a turn of its own, when there may be room after it was full. */
  void onRoom(Runnable ready) {
    room = ready;
  }

  /** Whether more than {@code bound} bytes are unsent; if so, it tells when to ask again. */
  boolean isFull(long bound) {
    boolean full = unsent > bound;
    if (full) {
      awaited = true;
      awaitReader();
    }
    return full;
  }

  /** Writes one message, which is not to change after this. */
  void write(byte[] message) {
    int from = writeAllButLastPart(message);
    int length = message.length - from;
    Future<Void> written = response.write(slice(message, from, length));
    track(length, written);
    hold(message.length, written);
  }

  /**
   * Ends the response with a message, once nearly all before it is sent: a response that has ended
   * shows no more that its client reads, and its connection counts as idle.
   *
   * @return done when all is sent; fails if the client is gone before
   */
  Future<Void> end(byte[] message) {
    int from = writeAllButLastPart(message);
    last = slice(message, from, message.length - from);
    ending = true;
    finish();
    hold(message.length, ended.future());
    return ended.future();
  }

  /** Ends the exchange now; what is written after this is held no more. */
  void cut() {
    isCut = true;
    stopWaiting();
    cut.run();
  }

  /** Where the last part begins. */
  private int writeAllButLastPart(byte[] message) {
    int from = 0;
    for (; message.length - from > PART; from += PART) {
      track(PART, response.write(slice(message, from, PART)));
    }
    return from;
  }

  /**
   * Without a copy: a message may be large, and is held once until all of it is sent. Buffer itself
   * can only be made by copying.
   */
  private static Buffer slice(byte[] message, int from, int length) {
    return BufferInternal.buffer(Unpooled.wrappedBuffer(message, from, length));
  }

  private void track(int length, Future<Void> written) {
    if (!written.isComplete()) {
      unsent += length;
      written.onComplete(result -> sent(length, result));
    }
  }

  private void hold(int length, Future<Void> sent) {
    if (length > 0 && !isCut && !sent.isComplete()) {
      budget.hold(this, length);
      sent.onComplete(result -> budget.release(this, length));
    }
  }

  private void sent(int length, AsyncResult<Void> result) {
    unsent -= length;
    stopWaiting();
    if (result.failed()) {
      ended.tryFail(result.cause());
    }
    if (ending) {
      finish();
    } else if (awaited) {
      awaited = false;
      // in a later turn: a message may be half written in this one
      budget.loop().execute(this::tellOfRoom);
    }
  }

  private void tellOfRoom() {
    if (!response.closed()) {
      room.run();
    }
  }

  private void finish() {
    if (ended.future().isComplete()) {
      return;
    }
    if (response.ended() || unsent > PART) {
      awaitReader();
      return;
    }
    int length = last.length();
    Future<Void> written = response.end(last);
    track(length, written);
    if (!written.isComplete()) {
      awaitReader();
    }
    written.onComplete(this::over);
  }

  private void over(AsyncResult<Void> result) {
    stopWaiting();
    if (result.succeeded()) {
      ended.tryComplete();
    } else {
      ended.tryFail(result.cause());
    }
  }

  private void awaitReader() {
    if (slow == OwnerLoop.Timer.NONE) {
      slow = budget.loop().after(budget.patience(), this::cut);
    }
  }

  private void stopWaiting() {
    slow.cancel();
    slow = OwnerLoop.Timer.NONE;
  }
}
