package io.fairlead.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;

/**
 * The server's end of one connection, for scripts: writes responses whole or in part, and cuts.
 *
 * <p>Thread: the connection's.
 */
final class Wire {
  private final Socket socket;
  private final OutputStream out;

  Wire(Socket socket) throws IOException {
    this.socket = socket;
    this.out = socket.getOutputStream();
    socket.setTcpNoDelay(true);
  }

  Wire raw(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
    return this;
  }

  Wire raw(String text) throws IOException {
    return raw(text.getBytes(UTF_8));
  }

  /** A whole response. */
  Wire respond(int status, String headers, String body) throws IOException {
    return raw(
        "HTTP/1.1 "
            + status
            + " X\r\n"
            + headers
            + "Content-Length: "
            + body.getBytes(UTF_8).length
            + "\r\n\r\n"
            + body);
  }

  Wire json(String message) throws IOException {
    return respond(200, "Content-Type: application/json\r\n", message);
  }

  Wire accepted() throws IOException {
    return respond(202, "", "");
  }

  /** The head of an event stream in chunks. */
  Wire sse() throws IOException {
    return sse("");
  }

  Wire sse(String headers) throws IOException {
    return raw(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
            + headers
            + "\r\n");
  }

  Wire chunk(byte[] bytes) throws IOException {
    raw(Integer.toHexString(bytes.length) + "\r\n");
    raw(bytes);
    return raw("\r\n");
  }

  Wire chunk(String text) throws IOException {
    return chunk(text.getBytes(UTF_8));
  }

  /** One event with an id. */
  Wire event(String id, String data) throws IOException {
    return chunk("id: " + id + "\ndata: " + data + "\n\n");
  }

  /** The clean end of a response in chunks. */
  Wire end() throws IOException {
    return raw("0\r\n\r\n");
  }

  void fin() throws IOException {
    socket.close();
  }

  void rst() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  /** Says nothing until the other side closes. */
  void stall() throws IOException {
    while (socket.getInputStream().read() >= 0) {
      // what comes is of no interest
    }
    socket.close();
  }
}
