package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a URL means for a connection. */
class HttpLinkOptionsTest {

  private static HttpLinkOptions options(String url) {
    return new HttpLinkOptions(
        URI.create(url),
        Credentials.fixed(Map.of()),
        Duration.ofSeconds(5),
        1024,
        10,
        Timing.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource({
    "http://a, a, 80, /, false",
    "https://a/mcp, a, 443, /mcp, true",
    "HTTPS://a/mcp, a, 443, /mcp, true",
    "http://a:9000/x%20y?k=v%2F&l, a, 9000, /x%20y?k=v%2F&l, false",
    "http://[::1]:1/mcp, ::1, 1, /mcp, false"
  })
  void urlIsTakenApart(String url, String host, int port, String target, boolean tls) {
    HttpLinkOptions options = options(url);
    assertEquals(host, options.host());
    assertEquals(port, options.port());
    assertEquals(target, options.target());
    assertEquals(tls, options.isTls());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://a/mcp", "/mcp", "http:/mcp", "file:///etc/passwd"})
  void urlIsRefusedWhenItIsNotHttp(String url) {
    assertThrows(IllegalArgumentException.class, () -> options(url));
  }

  /** streams 30: connecting, writing, handshakes and probes are bounded; calls are not. */
  @Test
  void defaultBoundsAreThoseOfTheContract() {
    assertEquals(Duration.ofSeconds(30), Timing.DEFAULT.write());
    assertEquals(Duration.ofSeconds(30), Timing.DEFAULT.handshake());
    assertEquals(Duration.ofMillis(50), Timing.DEFAULT.minRetry());
    assertEquals(Duration.ofSeconds(60), Timing.DEFAULT.maxRetry());
    assertEquals(Duration.ofSeconds(2), Timing.DEFAULT.close());
  }
}
