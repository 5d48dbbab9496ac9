package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Requests over HTTP/2 that no client library sends, byte by byte. */
class Http2FramesIT extends TlsBench {
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};

  // names of the static table of RFC 7541, as literals that are not indexed
  private static final int[] AUTHORITY = {0x01};
  private static final int[] METHOD = {0x02};
  private static final int[] PATH = {0x04};
  private static final int[] HOST = {0x0f, 0x17};
  private static final int[] USER_AGENT = {0x0f, 0x2b};
  private static final int GET = 0x82;
  private static final int HTTPS = 0x87;

  private final ByteArrayOutputStream block = new ByteArrayOutputStream();
  private LoggedErrors errors;

  @BeforeEach
  void watch() throws Exception {
    start("");
    errors = LoggedErrors.watch();
  }

  @AfterEach
  void unwatch() {
    errors.close();
  }

  @Test
  @DisplayName("CONNECT, which has no path, is refused like any other target that is none")
  void connectIsRefused() throws Exception {
    header(METHOD, "CONNECT");
    header(AUTHORITY, "localhost:80");
    assertMalformed();
  }

  @Test
  @DisplayName("lifecycle 80 over h2: a Host beside the authority must say the same, each of them")
  void hostsThatDifferAreRefused() throws Exception {
    block.write(GET);
    block.write(HTTPS);
    header(PATH, "/mcp");
    header(AUTHORITY, "localhost");
    header(HOST, "localhost");
    header(HOST, "evil.example.com");
    assertMalformed();
  }

  @Test
  @DisplayName("lifecycle 80 over h2: a line's end in the value of a header is malformed")
  void controlCharactersAreRefused() throws Exception {
    for (String value : List.of("a\r\nInjected: b", "a\nb", "a\rb", "\u0001", "a\u007f")) {
      block.reset();
      block.write(GET);
      block.write(HTTPS);
      header(PATH, "/healthz");
      header(AUTHORITY, "localhost");
      header(USER_AGENT, value);
      assertMalformed();
    }
  }

  private void header(int[] name, String value) {
    for (int octet : name) {
      block.write(octet);
    }
    block.write(value.length());
    block.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }

  private void assertMalformed() throws Exception {
    int endOfHeadersAndStream = 5;
    Buffer request =
        Buffer.buffer(PREFACE)
            .appendBytes(SETTINGS)
            .appendMedium(block.size())
            .appendBytes(new byte[] {1, (byte) endOfHeadersAndStream})
            .appendInt(1)
            .appendBytes(block.toByteArray());
    try (SSLSocket socket = TlsSocket.connect(gateway.port(), "TLSv1.3", "h2")) {
      socket.getOutputStream().write(request.getBytes());
      StringBuilder answer = new StringBuilder();
      while (answer.indexOf("\"reason\":\"malformed\"") < 0) {
        int next = socket.getInputStream().read();
        assertTrue(next >= 0, () -> "it ended with " + answer);
        answer.append((char) next);
      }
    }
  }
}
