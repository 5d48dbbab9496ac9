package io.fairlead.gateway;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One HTTP exchange on a bare socket: what was answered can be read event by event, and the
 * connection can be left in every way. Blocking, bounded by a read timeout.
 */
final class McpSocket implements AutoCloseable {
  static final String BOTH = "application/json, text/event-stream";

  /** One block of an event stream. */
  record Event(String id, String data, String comment, String retry) {}

  /** Those not closed: a socket that nothing refers to would be closed by the collector. */
  private static final Set<McpSocket> OPEN = ConcurrentHashMap.newKeySet();

  private final Socket socket;
  private final InputStream in;
  private final List<String> head = new ArrayList<>();
  private int status;
  private boolean chunked;
  private long left = -1;

  private McpSocket(int port) throws IOException {
    socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(10_000);
    socket.setTcpNoDelay(true);
    in = new java.io.BufferedInputStream(socket.getInputStream());
    OPEN.add(this);
  }

  /** Sends a request; its answer's head is read with {@link #status}. */
  static McpSocket send(int port, String verb, String target, String body, String... headers)
      throws IOException {
    McpSocket socket = new McpSocket(port);
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    StringBuilder text =
        new StringBuilder(verb + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n");
    for (String header : headers) {
      text.append(header).append("\r\n");
    }
    if (verb.equals("POST")) {
      text.append("Content-Type: application/json\r\nContent-Length: ").append(bytes.length);
      text.append("\r\n");
    }
    text.append("\r\n");
    socket.write(text.toString().getBytes(StandardCharsets.ISO_8859_1));
    socket.write(bytes);
    return socket;
  }

  /** Sends bytes that need be no request. */
  static McpSocket raw(int port, byte[] bytes) throws IOException {
    McpSocket socket = new McpSocket(port);
    socket.write(bytes);
    return socket;
  }

  static McpSocket raw(int port, String text) throws IOException {
    return raw(port, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Forgets the answer that was read: another is expected on the connection. */
  McpSocket again() {
    head.clear();
    return this;
  }

  /** Whether the gateway has closed the connection, with nothing more on it. */
  boolean isClosed() throws IOException {
    try {
      return in.read() < 0;
    } catch (java.net.SocketException reset) {
      return true;
    }
  }

  void write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  int status() throws IOException {
    readHead();
    return status;
  }

  Optional<String> header(String name) throws IOException {
    readHead();
    String prefix = name.toLowerCase(Locale.ROOT) + ":";
    return head.stream()
        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
        .map(line -> line.substring(prefix.length()).trim())
        .findFirst();
  }

  /** Checks the status, and is done with the exchange. */
  void expect(int expected) throws IOException {
    try (this) {
      if (status() != expected) {
        throw new AssertionError("expected " + expected + ", got " + head.get(0) + ": " + body());
      }
    }
  }

  /** The status line and the headers. */
  List<String> head() throws IOException {
    readHead();
    return List.copyOf(head);
  }

  private void readHead() throws IOException {
    if (!head.isEmpty()) {
      return;
    }
    for (String line = rawLine(); !line.isEmpty(); line = rawLine()) {
      head.add(line);
    }
    status = Integer.parseInt(head.get(0).split(" ")[1]);
    chunked = header("transfer-encoding").isPresent();
    left = chunked ? 0 : header("content-length").map(Long::parseLong).orElse(0L);
  }

  private String rawLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new java.io.EOFException("connection closed in the head: " + head + line);
      }
      line.write(b);
    }
    return line.toString(StandardCharsets.UTF_8).strip();
  }

  /** The next byte of the body, -1 at its proper end; fails if the connection ends before. */
  private int read() throws IOException {
    readHead();
    if (left == 0) {
      if (!chunked) {
        return -1;
      }
      String size = rawLine();
      if (size.isEmpty()) {
        size = rawLine();
      }
      left = Long.parseLong(size, 16);
      if (left == 0) {
        rawLine();
        chunked = false;
        return -1;
      }
    }
    int b = in.read();
    if (b < 0) {
      throw new java.io.EOFException("connection closed in the body");
    }
    left--;
    return b;
  }

  /** The whole body. */
  String body() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (int b = read(); b >= 0; b = read()) {
      body.write(b);
    }
    return body.toString(StandardCharsets.UTF_8);
  }

  /** The next block of an event stream, or empty at the stream's proper end. */
  Optional<Event> next() throws IOException {
    String id = "";
    String data = "";
    String comment = "";
    String retry = "";
    boolean any = false;
    while (true) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      int b = read();
      for (; b >= 0 && b != '\n'; b = read()) {
        bytes.write(b);
      }
      String line = bytes.toString(StandardCharsets.UTF_8);
      if (b < 0 && line.isEmpty()) {
        return Optional.empty();
      }
      if (line.isEmpty()) {
        if (any) {
          return Optional.of(new Event(id, data, comment, retry));
        }
      } else if (line.startsWith("id:")) {
        id = line.substring(3).strip();
      } else if (line.startsWith("data:")) {
        data += line.substring(5).strip();
      } else if (line.startsWith("retry:")) {
        retry = line.substring(6).strip();
      } else if (line.startsWith(":")) {
        comment = line.substring(1).strip();
      }
      any |= !line.isEmpty();
    }
  }

  /** The next block that carries a message, skipping comments, priming and retry. */
  Event message() throws IOException {
    for (Optional<Event> event = next(); event.isPresent(); event = next()) {
      if (!event.get().data().isEmpty()) {
        return event.get();
      }
    }
    throw new java.io.EOFException("the stream ended");
  }

  /** All messages to the stream's proper end. */
  List<Event> rest() throws IOException {
    List<Event> all = new ArrayList<>();
    for (Optional<Event> event = next(); event.isPresent(); event = next()) {
      if (!event.get().data().isEmpty()) {
        all.add(event.get());
      }
    }
    return all;
  }

  /** Leaves with a reset. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    close();
  }

  @Override
  public void close() throws IOException {
    OPEN.remove(this);
    socket.close();
  }
}
