package io.fairlead.gateway;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One connection on which many requests are sent before their answers are read: as much load as a
 * test can make without being busy itself. Answers must have a Content-Length, or no body.
 *
 * <p>Thread: one at a time.
 */
final class KeptConnection implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;

  /** What a test needs of an answer. */
  record Answer(int status, String session) {}

  KeptConnection(int port) throws IOException {
    socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(20_000);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
  }

  /** A request; {@code session} is empty for none. */
  static String request(String verb, String session, String body) {
    StringBuilder text = new StringBuilder(verb).append(" /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n");
    if (!session.isEmpty()) {
      text.append("Mcp-Session-Id: ").append(session).append("\r\n");
    }
    if (verb.equals("POST")) {
      // takes JSON alone, so that an answer is not chunked
      text.append("Accept: application/json\r\nContent-Type: application/json\r\nContent-Length: ");
      text.append(body.length()).append("\r\n");
    }
    return text.append("\r\n").append(body).toString();
  }

  /** Sends all, then reads the answer to each. */
  List<Answer> exchange(List<String> requests) throws IOException {
    socket.getOutputStream().write(String.join("", requests).getBytes(StandardCharsets.US_ASCII));
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      answers.add(read());
    }
    return answers;
  }

  private Answer read() throws IOException {
    int status = Integer.parseInt(line().split(" ")[1]);
    String session = "";
    int length = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      String[] field = line.split(": *", 2);
      switch (field[0].toLowerCase(Locale.ROOT)) {
        case "mcp-session-id" -> session = field[1];
        case "content-length" -> length = Integer.parseInt(field[1]);
        default -> {}
      }
    }
    in.skipNBytes(length);
    return new Answer(status, session);
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the gateway closed the connection");
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
