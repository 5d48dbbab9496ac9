package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.http.HttpClientConfig;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.TcpClientConfig;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** streams 30: opening a connection is bounded; the silence of one that is in use is not. */
class HttpTransportTest {
  private static final HttpLinkOptions OPTIONS =
      new HttpLinkOptions(
          URI.create("https://a/mcp"),
          Credentials.fixed(Map.of()),
          Duration.ofSeconds(5),
          1024,
          10,
          Timing.DEFAULT);

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void connectionsHaveNoIdleTimeout(boolean keepAlive) {
    HttpClientConfig http = HttpTransport.http(OPTIONS, keepAlive);
    TcpClientConfig tcp = http.getTcpConfig();
    assertEquals(Duration.ofSeconds(5), tcp.getConnectTimeout());
    assertUnbounded(tcp.getIdleTimeout());
    assertUnbounded(tcp.getReadIdleTimeout());
    assertUnbounded(tcp.getWriteIdleTimeout());
    assertEquals(0, http.getMaxRedirects());
  }

  private static void assertUnbounded(Duration timeout) {
    assertEquals(Duration.ZERO, Optional.ofNullable(timeout).orElse(Duration.ZERO));
  }

  @Test
  void requestsHaveNoTimeout() {
    RequestOptions request = HttpTransport.request(Outgoing.health(), OPTIONS);
    assertEquals(RequestOptions.DEFAULT_IDLE_TIMEOUT, request.getIdleTimeout());
    assertEquals(RequestOptions.DEFAULT_TIMEOUT, request.getTimeout());
    assertEquals(15_000, request.getConnectTimeout());
  }

  @Test
  void tlsHandshakeIsBounded() {
    ClientSSLOptions tls = HttpTransport.tls(OPTIONS);
    assertEquals(TimeUnit.MILLISECONDS, tls.getSslHandshakeTimeoutUnit());
    assertEquals(10_000, tls.getSslHandshakeTimeout());
  }
}
