package io.fairlead.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * What a proxy of a test reads before it decides about a connection: the head of its first request,
 * with what came along with it; less, if the connection ended before.
 *
 * <p>Thread: the connection's.
 */
record RequestHead(byte[] bytes) {

  static RequestHead read(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    byte[] chunk = new byte[4096];
    while (head.toString(ISO_8859_1).indexOf("\r\n\r\n") < 0) {
      int read = in.read(chunk);
      if (read < 0) {
        break;
      }
      head.write(chunk, 0, read);
    }
    return new RequestHead(head.toByteArray());
  }

  String text() {
    return new String(bytes, ISO_8859_1);
  }
}
