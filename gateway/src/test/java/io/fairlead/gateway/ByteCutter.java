package io.fairlead.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
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
      byte[] head = head(from.getInputStream());
      String text = new String(head, ISO_8859_1);
      Cut cut = cuts.apply(text);
      long[] counts = passed.computeIfAbsent(call(text), n -> new long[2]);
      run("cutter-down", () -> copy(to, from, new byte[0], cut, counts, 1));
      copy(from, to, head, cut, counts, 0);
    } catch (IOException gone) {
      // either side went away
    }
  }

  private static byte[] head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    byte[] chunk = new byte[4096];
    while (head.toString(ISO_8859_1).indexOf("\r\n\r\n") < 0) {
      int read = in.read(chunk);
      if (read < 0) {
        break;
      }
      head.write(chunk, 0, read);
    }
    return head.toByteArray();
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
