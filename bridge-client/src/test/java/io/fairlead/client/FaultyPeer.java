package io.fairlead.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * A server on raw TCP that does what its script says with each HTTP request: answers any bytes,
 * cuts with FIN or RST, stalls, goes away and comes back. It notes every request.
 *
 * <p>Thread: one per connection; what it notes may be read by any.
 */
final class FaultyPeer implements AutoCloseable {
  /** What to do with one request. */
  interface Script {
    void answer(Request request, Wire wire) throws IOException;
  }

  /** One HTTP request; header names in lower case. */
  record Request(String method, Map<String, String> headers, String body, long nanos) {
    Optional<String> header(String name) {
      return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
    }

    /** The JSON text of the message's id; empty if it has none. */
    String id() {
      int at = body.indexOf("\"id\":");
      if (at < 0) {
        return "";
      }
      int end = at + 5;
      while (",}".indexOf(body.charAt(end)) < 0) {
        end++;
      }
      return body.substring(at + 5, end);
    }

    boolean calls(String rpcMethod) {
      return method.equals("POST") && body.contains("\"method\":\"" + rpcMethod + "\"");
    }
  }

  /** Of a larger body not one byte is read. */
  static final int STUCK_ABOVE = 20 << 20;

  private final Script script;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile ServerSocket listener;
  private final int port;

  FaultyPeer(Script script) throws IOException {
    this.script = script;
    this.listener = listen(0);
    this.port = listener.getLocalPort();
  }

  private ServerSocket listen(int onPort) throws IOException {
    ServerSocket socket = new ServerSocket();
    socket.setReuseAddress(true);
    try {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), onPort), 1000);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    Thread accepting = new Thread(() -> accept(socket), "peer-accept");
    accepting.setDaemon(true);
    accepting.start();
    return socket;
  }

  private void accept(ServerSocket from) {
    while (!from.isClosed()) {
      try {
        Socket socket = from.accept();
        open.add(socket);
        Thread serving = new Thread(() -> serve(socket), "peer-connection");
        serving.setDaemon(true);
        serving.start();
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      Wire wire = new Wire(socket);
      InputStream in = socket.getInputStream();
      Optional<Request> next = read(in);
      while (next.isPresent() && !socket.isClosed()) {
        requests.add(next.get());
        script.answer(next.get(), wire);
        next = socket.isClosed() ? Optional.empty() : read(in);
      }
    } catch (IOException e) {
      // the other side went away, which is what tests are about
    } finally {
      open.remove(socket);
    }
  }

  private Optional<Request> read(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        return Optional.empty();
      }
      head.write(next);
    }
    String[] lines = head.toString(ISO_8859_1).split("\r\n");
    Map<String, String> headers = new TreeMap<>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      headers.put(
          lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
          lines[i].substring(colon + 1).trim());
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    if (length > STUCK_ABOVE) {
      return stuck();
    }
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      return Optional.empty();
    }
    String method = lines[0].substring(0, lines[0].indexOf(' '));
    return Optional.of(new Request(method, headers, new String(body, UTF_8), System.nanoTime()));
  }

  private Optional<Request> stuck() {
    SessionIT.await(closing);
    return Optional.empty();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + port + "/mcp");
  }

  /** Everything that was asked, in order. */
  List<Request> requests() {
    return requests;
  }

  List<Request> posts(String rpcMethod) {
    return requests.stream().filter(request -> request.calls(rpcMethod)).toList();
  }

  List<Request> gets() {
    return requests.stream().filter(request -> request.method().equals("GET")).toList();
  }

  int connections() {
    return open.size();
  }

  /** The process dies: connections are reset, new ones refused from when this returns. */
  void die() throws IOException {
    listener.close();
    LinkBed.until(this::refuses);
    for (Socket socket : open) {
      reset(socket);
    }
  }

  /** The last one may still be let in while the listener closes. */
  private boolean refuses() {
    try (Socket late = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return !late.isConnected();
    } catch (IOException refused) {
      return true;
    }
  }

  private static void reset(Socket socket) {
    try (socket) {
      socket.setSoLinger(true, 0);
    } catch (IOException closedMeanwhile) {
      // it is gone, as intended
    }
  }

  /** It comes back on the same port, as soon as that is free. */
  void revive() {
    LinkBed.until(
        () -> {
          try {
            listener = listen(port);
            return true;
          } catch (IOException inUse) {
            return false;
          }
        });
  }

  @Override
  public void close() throws IOException {
    closing.countDown();
    die();
  }
}
