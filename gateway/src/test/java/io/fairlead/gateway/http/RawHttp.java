package io.fairlead.gateway.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A client on a bare socket, which can send what no HTTP client would. Blocking, bounded by a read
 * timeout.
 *
 * <p>Thread: the test's.
 */
final class RawHttp implements AutoCloseable {
  private static final int READ_TIMEOUT_MILLIS = 10_000;

  /** What was answered; header names in lower case. */
  record Answer(int status, List<String> head, String body) {
    Optional<String> header(String name) {
      String prefix = name.toLowerCase(Locale.ROOT) + ": ";
      return head.stream()
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
          .map(line -> line.substring(prefix.length()))
          .findFirst();
    }
  }

  private final Socket socket;
  private final InputStream in;

  RawHttp(int port) throws IOException {
    socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(READ_TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    in = socket.getInputStream();
  }

  /** One request on a connection of its own. */
  static Answer exchange(int port, String request) throws IOException {
    try (RawHttp http = new RawHttp(port)) {
      return http.send(request).answer();
    }
  }

  RawHttp send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  RawHttp send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  /** Reads one response, interim ones included; its body by Content-Length. */
  Answer answer() throws IOException {
    List<String> head = new ArrayList<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      head.add(line);
    }
    Answer answer = new Answer(Integer.parseInt(head.get(0).split(" ")[1]), head, "");
    int length = answer.header("content-length").map(Integer::parseInt).orElse(0);
    byte[] body = in.readNBytes(length);
    return new Answer(answer.status(), head, new String(body, StandardCharsets.UTF_8));
  }

  /** Whether the server closes the connection, with nothing more on it. */
  boolean endsWithoutMore() throws IOException {
    try {
      return in.read() == -1;
    } catch (SocketException reset) {
      return true;
    }
  }

  /** Leaves with a reset instead of an orderly end. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b == -1) {
        throw new IOException("connection ended after: " + line);
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }
}
