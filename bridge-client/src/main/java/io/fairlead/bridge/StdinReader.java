package io.fairlead.bridge;

import io.fairlead.wire.LineFramer;
import io.vertx.core.Context;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Semaphore;

/**
 * Reads lines from the client on a thread of its own and hands them to the owner loop. It reads
 * ahead by a bounded number of lines.
 *
 * <p>Thread: its own; the listener is called on the owner loop. Owner: {@link BridgeMain}.
 */
final class StdinReader {
  private static final int CHUNK = 64 * 1024;
  private static final int LINES_AHEAD = 64;

  /** Told on the owner loop, in order. */
  interface Listener {
    void line(byte[] line);

    /** A line above the bound; its first bytes, and its last. */
    void oversize(byte[] head, byte[] tail);

    /** The client says no more. Terminal. */
    void end();
  }

  private final InputStream in;
  private final Context owner;
  private final Listener listener;
  private final LineFramer framer;
  private final Semaphore ahead = new Semaphore(LINES_AHEAD);

  StdinReader(InputStream in, int maxLine, Context owner, Listener listener) {
    this.in = in;
    this.owner = owner;
    this.listener = listener;
    this.framer = new LineFramer(maxLine, new Lines());
  }

  void start() {
    Thread thread = new Thread(this::read, "stdin");
    thread.setDaemon(true);
    thread.start();
  }

  private void read() {
    byte[] chunk = new byte[CHUNK];
    try {
      for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
        framer.feed(chunk, 0, count);
      }
    } catch (IOException e) {
      // a client that is gone says no more either
    }
    hand(listener::end);
  }

  private void hand(Runnable task) {
    ahead.acquireUninterruptibly();
    owner.runOnContext(
        v -> {
          ahead.release();
          task.run();
        });
  }

  private final class Lines implements LineFramer.Listener {
    private byte[] head = new byte[0];

    @Override
    public void line(byte[] line) {
      hand(() -> listener.line(line));
    }

    @Override
    public void oversize(byte[] start) {
      head = start;
    }

    @Override
    public void oversizeEnd(byte[] tail) {
      byte[] start = head;
      hand(() -> listener.oversize(start, tail));
    }
  }
}
