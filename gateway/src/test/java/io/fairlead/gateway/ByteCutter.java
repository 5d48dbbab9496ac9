package io.fairlead.gateway;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A TCP proxy that passes exactly so many bytes of a connection, in one direction, and then cuts it
 * on both sides; where, may depend on the head of its first request.
 *
 * <p>Thread: two of its own for each connection; what it counts may be read by any.
 */
final class ByteCutter implements AutoCloseable {
  private static final Pattern NUMBER = Pattern.compile("(?i)fairlead-call: (\\d+)");

  /** Where a connection is cut, and how. */
  record Cut(boolean upstream, long offset, boolean reset) {
    static final Cut NEVER = new Cut(true, Long.MAX_VALUE, false);
  }

  /** Bytes that passed. */
  record Passed(long up, long down) {}

  private final ServerSocket listener;
  private final int target;
  private final Function<String, Cut> cuts;
  private final Map<Long, long[]> passed = new ConcurrentHashMap<>();

  /**
   * @param cuts gets the head of a connection's first request, on the connection's thread
   */
  ByteCutter(int target, Function<String, Cut> cuts) throws IOException {
    this.target = target;
    this.cuts = cuts;
    this.listener = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
    run("cutter-accept", this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** The number of the call whose POST has this head; 0 for any other request. */
  static long call(String head) {
    Matcher number = NUMBER.matcher(head);
    return number.find() ? Long.parseLong(number.group(1)) : 0;
  }

  /** What passed on the connection of a call, in each direction. */
  Passed passed(long number) {
    long[] counts = passed.getOrDefault(number, new long[2]);
    return new Passed(counts[0], counts[1]);
  }

  private static void run(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket from = listener.accept();
        run("cutter-up", () -> serve(from));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket from) {
    try (from;
        Socket to = new Socket(InetAddress.getLoopbackAddress(), target)) {
      from.setTcpNoDelay(true);
      to.setTcpNoDelay(true);
      RequestHead head = RequestHead.read(from.getInputStream());
      Cut cut = cuts.apply(head.text());
      long[] counts = passed.computeIfAbsent(call(head.text()), n -> new long[2]);
      run("cutter-down", () -> copy(to, from, new byte[0], cut, counts, 1));
      copy(from, to, head.bytes(), cut, counts, 0);
    } catch (IOException gone) {
      // either side went away
    }
  }

  private static void copy(
      Socket from, Socket to, byte[] first, Cut cut, long[] counts, int direction) {
    boolean mine = cut.upstream() == (direction == 0);
    long left = mine ? cut.offset() : Long.MAX_VALUE;
    byte[] chunk = new byte[16_384];
    try {
      OutputStream out = to.getOutputStream();
      System.arraycopy(first, 0, chunk, 0, first.length);
      int read = first.length;
      while (read >= 0) {
        int taken = (int) Math.min(read, left);
        out.write(chunk, 0, taken);
        counts[direction] += taken;
        left -= taken;
        if (left == 0) {
          cut(from, to, cut.reset());
          return;
        }
        read = from.getInputStream().read(chunk);
      }
    } catch (IOException gone) {
      // either side went away
    }
    cut(from, to, false);
  }

  private static void cut(Socket one, Socket other, boolean reset) {
    for (Socket socket : new Socket[] {one, other}) {
      try {
        if (reset) {
          socket.setSoLinger(true, 0);
        }
        socket.close();
      } catch (IOException closed) {
        // it was cut before
      }
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
