package io.fairlead.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP proxy whose clients do not see that the server is gone: what was open stays open and
 * silent, and what is new is closed without a word.
 *
 * <p>Thread: two of its own for each connection; its methods any. Owner: the test.
 */
final class HoldingProxy implements AutoCloseable {
  private volatile int target;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Set<Socket> upstream = ConcurrentHashMap.newKeySet();

  HoldingProxy(int target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
    run("holding-accept", this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** From now on its server is another one; no connection goes on to the one before. */
  void moveTo(int port) throws IOException {
    target = port;
    for (Socket socket : upstream) {
      socket.close();
    }
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
        open.add(from);
        run("holding-up", () -> serve(from));
      } catch (IOException gone) {
        return;
      }
    }
  }

  private void serve(Socket from) {
    try (from;
        Socket to = new Socket(InetAddress.getLoopbackAddress(), target)) {
      upstream.add(to);
      run("holding-down", () -> copy(to, from));
      copy(from, to);
      upstream.remove(to);
      while (from.getInputStream().read() >= 0) {
        // nobody is there to take it
      }
    } catch (IOException gone) {
      // the client went away, or there is no server
    } finally {
      open.remove(from);
    }
  }

  /** Until either end is gone. */
  private static void copy(Socket in, Socket out) {
    try {
      in.getInputStream().transferTo(out.getOutputStream());
    } catch (IOException gone) {
      // the other direction decides what becomes of the connection
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
