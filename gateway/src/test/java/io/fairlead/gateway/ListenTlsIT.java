package io.fairlead.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** issue 4, TLS: what is negotiated, and with which clients. */
class ListenTlsIT extends TlsBench {
  @Test
  @DisplayName("TLS 1.2 and 1.3, HTTP/2 and HTTP/1.1, and nothing that is older")
  void protocolsAreNegotiated() throws Exception {
    start("");
    assertEquals("TLSv1.3 h2", negotiate("TLSv1.3", "h2", "http/1.1"));
    assertEquals("TLSv1.2 h2", negotiate("TLSv1.2", "h2"));
    assertEquals("TLSv1.3 http/1.1", negotiate("TLSv1.3", "http/1.1"));
    assertEquals("TLSv1.3 ", negotiate("TLSv1.3"));
    try (McpSocket plain = McpSocket.raw(gateway.port(), "GET / HTTP/1.1\r\nHost: h\r\n\r\n")) {
      assertTrue(plain.isClosed() || plain.isClosed());
    }
  }

  @Test
  @Tag("soak")
  @DisplayName("lifecycle 79 over h2: who negotiates HTTP/2 and never begins it is closed")
  void connectionThatNeverBeginsIsClosed() throws Exception {
    start("");
    try (SSLSocket socket = TlsSocket.connect(gateway.port(), "TLSv1.3", "h2")) {
      socket.setSoTimeout(30_000);
      socket.getInputStream().readAllBytes();
    }
  }

  private String negotiate(String version, String... applications) throws Exception {
    try (SSLSocket socket = TlsSocket.connect(gateway.port(), version, applications)) {
      return socket.getSession().getProtocol() + " " + socket.getApplicationProtocol();
    }
  }

  @Test
  @DisplayName("lifecycle 82 over h2: headers above what was told are refused")
  void largeHeadersAreRefused() throws Exception {
    start("");
    String large = "X-Large: " + "x".repeat(9_000);
    String said = run(curl("-H", large, "-H", large.replace("Large", "Larger")));
    assertTrue(said.endsWith("status=431 version=2"), said);
    String larger = "X-Large: " + "x".repeat(50_000);
    assertTrue(run(curl("-H", larger)).endsWith("status=000 version=0"), "connection is ended");
  }

  @Test
  @DisplayName("curl and Node.js speak HTTP/2 to it")
  void otherClientsSpeakHttp2() throws Exception {
    start("");
    String curl = run(curl());
    assertTrue(curl.contains("\"status\":\"ok\"") && curl.endsWith("version=2"), curl);
    String node = run(List.of("node", "-e", NODE, url()));
    assertTrue(node.contains("\"status\":\"ok\"") && node.endsWith("version=2"), node);
  }

  private String url() {
    return "https://localhost:" + gateway.port() + "/healthz";
  }

  private List<String> curl(String... more) {
    List<String> command = new ArrayList<>(List.of("curl", "-s", "--http2", "--cacert"));
    command.add(keys.certificate().toString());
    command.addAll(List.of("-w", " status=%{http_code} version=%{http_version}", url()));
    command.addAll(List.of(more));
    return command;
  }

  /** What the program says; the test ends here where it is absent. */
  private static String run(List<String> command) throws Exception {
    Assumptions.assumeTrue(isPresent(command.get(0)), command.get(0) + " is not there");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static final String NODE =
      """
      const client = require('http2').connect(process.argv[1], { rejectUnauthorized: false });
      const stream = client.request({ ':path': '/healthz' });
      let text = '';
      stream.on('data', bytes => text += bytes);
      stream.on('end', () => { console.log(text); process.stdout.write('version=2'); client.close(); });
      stream.end();
      """;

  private static boolean isPresent(String program) throws Exception {
    try {
      return new ProcessBuilder(program, "--version")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (java.io.IOException absent) {
      return false;
    }
  }
}
