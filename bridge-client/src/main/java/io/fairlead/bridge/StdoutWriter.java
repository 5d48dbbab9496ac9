package io.fairlead.bridge;

import io.vertx.core.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes messages to the client on a thread of its own: one line and one flush each, and nothing
 * else ever. A client that reads slowly is noticed, so that nobody goes on for it without bound.
 *
 * <p>Thread: {@link #write} and {@link #isFull} on the owner loop; listeners are called there.
 * Owner: {@link BridgeMain}.
 */
final class StdoutWriter {
  private static final long FULL = 4 << 20;
  private static final byte[] END = new byte[0];

  private final OutputStream out;
  private final Context owner;
  private final LinkedBlockingQueue<byte[]> lines = new LinkedBlockingQueue<>();
  private final AtomicLong waiting = new AtomicLong();
  private final AtomicBoolean wasFull = new AtomicBoolean();
  private final Thread thread = new Thread(this::run, "stdout");
  private Runnable whenDrained = () -> {};
  private Runnable whenClosed = () -> {};

  StdoutWriter(OutputStream out, Context owner) {
    this.out = out;
    this.owner = owner;
  }

  /**
   * @param drained told when there is room again after it was full
   * @param closed told when nobody reads any more
   */
  void start(Runnable drained, Runnable closed) {
    whenDrained = drained;
    whenClosed = closed;
    thread.setDaemon(true);
    thread.start();
  }

  /** Puts a message, without its LF, behind the ones before. */
  void write(byte[] message) {
    if (waiting.addAndGet(message.length) >= FULL) {
      wasFull.set(true);
    }
    lines.add(message);
  }

  /** Whether the client lags so far that what can wait should. */
  boolean isFull() {
    return wasFull.get();
  }

  /** Waits until all that was written has left, but not for long. Not on the owner loop. */
  void finish(long millis) {
    lines.add(END);
    try {
      thread.join(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      for (byte[] line = lines.take(); line != END; line = lines.take()) {
        writeLine(line);
        if (waiting.addAndGet(-line.length) < FULL / 2 && wasFull.getAndSet(false)) {
          owner.runOnContext(v -> whenDrained.run());
        }
      }
    } catch (IOException e) {
      owner.runOnContext(v -> whenClosed.run());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One write, so that a line is whole even for who watches the pipe. */
  private void writeLine(byte[] message) throws IOException {
    byte[] line = java.util.Arrays.copyOf(message, message.length + 1);
    line[message.length] = '\n';
    out.write(line);
    out.flush();
  }
}
