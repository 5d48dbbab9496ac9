package io.fairlead.gateway.backend;

import io.fairlead.gateway.config.BackendConfig;
import io.fairlead.wire.LineFramer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One child process and its three pipes: lines in, lines out, standard error into the log. The only
 * class of the gateway with threads of its own: a pipe that is full blocks whoever writes, so each
 * pipe has a daemon thread, and a fourth one lives while the child is being stopped. Everything
 * they learn is brought to the owner loop with {@code runOnContext}.
 *
 * <pre>
 * write ─► outbox (bounded by bytes) ─► stdin thread ─► child ─► stdout thread ─► room (bounded) ─► Listener
 * </pre>
 *
 * <p>Thread: methods and listener on the owner loop; each private method says so where it is not.
 * Owner: the {@link StdioChild} that spawned it.
 */
final class ChildProcess {
  /** Bytes that wait for the child to read them; above, {@link #write} refuses. */
  static final int MAX_OUTBOX = 8 << 20;

  /** Bytes of lines handed to the owner loop and not yet processed; above, reading stops. */
  static final int MAX_INBOX = 256 << 10;

  /** Bytes of a line that are written at once. */
  private static final int PIECE = 64 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(ChildProcess.class);
  private static final byte[] END = new byte[0];

  /** Receives what the child says, in order, on the owner loop; nothing after close. */
  interface Listener {
    void line(byte[] line);

    /** A line above the bound was skipped; {@code head} is its beginning. */
    void oversize(byte[] head);

    /** The end of the line that was told as oversize. */
    void oversizeEnd(byte[] tail);

    /** Terminal: the child never started or is gone, and what it had written was delivered. */
    void ended(String text);
  }

  // any thread
  private final String name;
  private final BackendConfig.Stdio config;
  private final Context owner;
  private final ChildCommand command;
  private final BlockingQueue<byte[]> outbox = new LinkedBlockingQueue<>();
  private final AtomicLong outboxBytes = new AtomicLong();
  private final Semaphore room = new Semaphore(MAX_INBOX);

  // owner loop
  private final Listener listener;
  private final ChildLife life;
  private boolean paused;
  private int withheld;

  /** Starts the child; a failure to start is told through {@link Listener#ended}. */
  static ChildProcess spawn(
      String name, BackendConfig.Stdio config, Context owner, Listener listener) {
    ChildProcess child = new ChildProcess(name, config, owner, listener);
    child.thread("stdout", child::runOutput);
    return child;
  }

  private ChildProcess(String name, BackendConfig.Stdio config, Context owner, Listener listener) {
    this.name = name;
    this.config = config;
    this.command = new ChildCommand(name, config, ProcessTree.newMark());
    this.owner = owner;
    this.listener = listener;
    this.life = new ChildLife(owner.owner(), listener::ended, this::stop);
  }

  /**
   * Sends one message as one line.
   *
   * @return false if it was refused: the child is gone, or does not read and too much waits for it
   */
  boolean write(byte[] message) {
    if (!takesInput()) {
      return false;
    }
    long waiting = outboxBytes.get();
    if (waiting > 0 && waiting + message.length > MAX_OUTBOX) {
      return false;
    }
    outboxBytes.addAndGet(message.length);
    outbox.add(message);
    return true;
  }

  /** Whether what is written may still reach the child. */
  boolean takesInput() {
    return life.takesInput();
  }

  /** Stops reading from the child soon; lines under way still arrive. */
  void pause() {
    paused = life.speaks();
  }

  void resume() {
    paused = false;
    room.release(withheld);
    withheld = 0;
  }

  /**
   * Ends the child and all that it started: end of input, a wait, SIGTERM, a wait, SIGKILL.
   * Idempotent; completes on the owner loop, in bounded time, when they are gone.
   */
  Future<Void> close() {
    resume();
    return life.close();
  }

  /** Completes when the child and all that it started are gone, whoever ended it. */
  Future<Void> gone() {
    return life.gone();
  }

  // owner loop, called by hops from the threads below

  private void deliver(List<Runnable> batch, int cost) {
    for (Runnable line : batch) {
      if (life.isHeard()) {
        deliver(line);
      }
    }
    if (paused) {
      withheld += cost;
    } else {
      room.release(cost);
    }
  }

  /** One message that somebody stumbles over must not cost the answers behind it. */
  private void deliver(Runnable line) {
    try {
      line.run();
    } catch (RuntimeException e) {
      LOG.error("backend={} a message was dropped", name, e);
    }
  }

  private void outputEnded() {
    resume();
    life.outputEnded();
  }

  private void exited(int code) {
    resume();
    life.exited(code);
  }

  private void stop(Process child) {
    thread("stop", () -> runStop(child));
  }

  // stdout thread

  private void runOutput() {
    Process started;
    try {
      started = command.start();
    } catch (IOException e) {
      hop(() -> life.startFailed(command.failureText(e)));
      return;
    }
    hop(() -> life.started(started));
    thread("stdin", () -> runInput(started.getOutputStream()));
    thread("stderr", () -> runErrors(started.getErrorStream()));
    started.onExit().thenAccept(gone -> hop(() -> exited(gone.exitValue())));
    try (InputStream output = started.getInputStream()) {
      readLines(output);
    } catch (IOException e) {
      // a broken pipe ends the output as its end does
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      hop(this::outputEnded);
    }
  }

  private void readLines(InputStream output) throws IOException, InterruptedException {
    Batch batch = new Batch();
    LineFramer framer = new LineFramer(config.maxMessage(), batch);
    byte[] buffer = new byte[64 << 10];
    for (int n = output.read(buffer); n >= 0; n = output.read(buffer)) {
      framer.feed(buffer, 0, n);
      if (!batch.lines.isEmpty()) {
        List<Runnable> lines = batch.lines;
        int cost = (int) Math.min(batch.bytes, MAX_INBOX);
        batch.lines = new ArrayList<>();
        batch.bytes = 0;
        room.acquire(cost);
        hop(() -> deliver(lines, cost));
      }
    }
  }

  /** The lines of one read; on the stdout thread. */
  private final class Batch implements LineFramer.Listener {
    private List<Runnable> lines = new ArrayList<>();
    private long bytes;

    @Override
    public void line(byte[] line) {
      lines.add(() -> listener.line(line));
      bytes += line.length;
    }

    @Override
    public void oversize(byte[] head) {
      lines.add(() -> listener.oversize(head));
      bytes += head.length;
    }

    @Override
    public void oversizeEnd(byte[] tail) {
      lines.add(() -> listener.oversizeEnd(tail));
    }
  }

  // stdin thread

  private void runInput(OutputStream input) {
    try (input) {
      for (byte[] message = outbox.take(); message != END; message = outbox.take()) {
        writeLine(input, message);
        outboxBytes.addAndGet(-message.length);
        if (outbox.isEmpty()) {
          input.flush();
        }
      }
    } catch (IOException e) {
      hop(life::inputBroken);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * JSON has line breaks only between tokens, where a space does as well. Piece by piece, for a
   * child may take its time, and a second copy of a large message would wait with the first.
   */
  private static void writeLine(OutputStream input, byte[] message) throws IOException {
    for (int from = 0; from < message.length; from += PIECE) {
      byte[] piece = Arrays.copyOfRange(message, from, Math.min(message.length, from + PIECE));
      for (int i = 0; i < piece.length; i++) {
        piece[i] = piece[i] == '\n' || piece[i] == '\r' ? (byte) ' ' : piece[i];
      }
      input.write(piece);
    }
    input.write('\n');
  }

  // stderr thread

  private void runErrors(InputStream errors) {
    StderrLog log = new StderrLog("backend=" + name);
    byte[] buffer = new byte[8 << 10];
    try (errors) {
      for (int n = errors.read(buffer); n >= 0; n = errors.read(buffer)) {
        log.feed(buffer, n);
      }
    } catch (IOException e) {
      // the end of the log, however it came
    }
  }

  // stop thread

  private void runStop(Process child) {
    try {
      ProcessTree tree = new ProcessTree(child.toHandle(), command.mark());
      outbox.add(END);
      tree.end(config.stopTimeout());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      hop(life::stopped);
    }
  }

  // any thread

  private void hop(Runnable task) {
    owner.runOnContext(ignored -> task.run());
  }

  private void thread(String pipe, Runnable body) {
    Thread thread = new Thread(body, "fairlead-" + name + "-" + pipe);
    thread.setDaemon(true);
    thread.start();
  }
}
