package io.fairlead.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * A TCP proxy that is a bad way to a server: each connection gets a fate, by the head of its first
 * request. While the server is away it answers 502.
 *
 * <p>Thread: two of its own for each connection; its methods any. Owner: the test.
 */
final class StormProxy implements AutoCloseable {

  /** What befalls a connection. */
  enum Fault {
    NONE,
    FIN,
    RST,
    STALL,
    /** The server gets the whole request; the client gets this instead of the server's answer. */
    STATUS_404,
    STATUS_502,
    STATUS_503;

    private boolean isStatus() {
      return compareTo(STATUS_404) >= 0;
    }
  }

  /**
   * Where a fault falls.
   *
   * @param upstream whether the offset counts the bytes to the server, or those from it
   * @param millis how long a stall lasts
   */
  record Fate(Fault fault, boolean upstream, long offset, int millis) {
    static final Fate NONE = new Fate(Fault.NONE, true, Long.MAX_VALUE, 0);

    /** A status stands in the place of the answer: within one, it would be a part of its body. */
    Fate {
      if (fault.isStatus()) {
        upstream = false;
        offset = 0;
      }
    }
  }

  private final int target;
  private final Function<String, Fate> fates;
  private final ServerSocket listener;
  private final Set<Pipe> open = ConcurrentHashMap.newKeySet();
  private final Map<Fault, AtomicInteger> thrown = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  StormProxy(int target, Function<String, Fate> fates) throws IOException {
    this.target = target;
    this.fates = fates;
    this.listener = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
    run("storm-accept", this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Connections that neither side has closed. */
  int open() {
    return open.size();
  }

  /** How often each fault has really fallen. */
  Map<Fault, AtomicInteger> thrown() {
    return new TreeMap<>(thrown);
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    listener.close();
    open.forEach(pipe -> pipe.end(false));
  }

  private static void run(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Pipe pipe = new Pipe(listener.accept());
        open.add(pipe);
        run("storm-up", pipe::serve);
      } catch (IOException gone) {
        return;
      }
    }
  }

  private static byte[] response(int status) {
    String body = "<html>status " + status + "</html>";
    return ("HTTP/1.1 "
            + status
            + " Storm\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body)
        .getBytes(ISO_8859_1);
  }

  /** One connection and its way to the server. */
  private final class Pipe {
    private final Socket from;
    private final Socket to = new Socket();
    private Fate fate = Fate.NONE;

    private Pipe(Socket from) {
      this.from = from;
    }

    private void serve() {
      try {
        from.setTcpNoDelay(true);
        RequestHead head = RequestHead.read(from.getInputStream());
        if (head.bytes().length == 0) {
          return;
        }
        if (!connect()) {
          from.getOutputStream().write(response(502));
          return;
        }
        fate = fates.apply(head.text());
        run("storm-down", () -> copy(to, from, new byte[0], false));
        copy(from, to, head.bytes(), true);
      } catch (IOException gone) {
        // either side went away
      } finally {
        end(false);
      }
    }

    private boolean connect() {
      try {
        to.setTcpNoDelay(true);
        to.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
        return true;
      } catch (IOException away) {
        return false;
      }
    }

    private void copy(Socket in, Socket out, byte[] first, boolean up) {
      long left = fate.upstream() == up ? fate.offset() : Long.MAX_VALUE;
      byte[] chunk = new byte[16_384];
      System.arraycopy(first, 0, chunk, 0, first.length);
      try {
        OutputStream sink = out.getOutputStream();
        for (int read = first.length; read >= 0; read = in.getInputStream().read(chunk)) {
          int taken = (int) Math.min(read, left);
          sink.write(chunk, 0, taken);
          left -= taken;
          if (left == 0 && (read > 0 || up)) {
            if (!befall(sink)) {
              return;
            }
            sink.write(chunk, taken, read - taken);
            left = Long.MAX_VALUE;
          }
        }
      } catch (IOException | InterruptedException gone) {
        // either side went away
      } finally {
        end(false);
      }
    }

    /** Whether the connection goes on. */
    private boolean befall(OutputStream sink) throws IOException, InterruptedException {
      thrown.computeIfAbsent(fate.fault(), none -> new AtomicInteger()).incrementAndGet();
      switch (fate.fault()) {
        case FIN -> end(false);
        case RST -> end(true);
        case STATUS_404 -> sink.write(response(404));
        case STATUS_502 -> sink.write(response(502));
        case STATUS_503 -> sink.write(response(503));
        default -> {
          return !closed.await(fate.millis(), TimeUnit.MILLISECONDS);
        }
      }
      return false;
    }

    private void end(boolean reset) {
      for (Socket socket : new Socket[] {from, to}) {
        try {
          if (reset) {
            socket.setSoLinger(true, 0);
          }
          socket.close();
        } catch (IOException gone) {
          // it was closed before
        }
      }
      open.remove(this);
    }
  }
}
