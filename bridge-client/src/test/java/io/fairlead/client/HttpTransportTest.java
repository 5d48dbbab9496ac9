package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.http.HttpClientConfig;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.TcpClientConfig;
import java.lang.reflect.Method;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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

  /** Of all that has a timeout, in whatever release of Vert.x, only this has a value. */
  @Test
  void nothingElseHasATimeout() throws Exception {
    HttpClientConfig http = HttpTransport.http(OPTIONS, true);
    Map<String, Object> found = new TreeMap<>();
    for (Object options :
        List.of(
            http,
            http.getHttp1Config(),
            http.getTcpConfig(),
            http.getTcpConfig().getTransportConfig(),
            HttpTransport.request(Outgoing.health(), OPTIONS))) {
      collectTimeouts(options, found);
    }
    assertEquals(
        Map.of(
            "TcpClientConfig.ConnectTimeout", Duration.ofSeconds(5),
            "RequestOptions.ConnectTimeout", 15_000L,
            // of a connection that nobody uses
            "Http1ClientConfig.KeepAliveTimeout", Duration.ofSeconds(4)),
        found);
  }

  private static void collectTimeouts(Object options, Map<String, Object> found) throws Exception {
    for (Method getter : options.getClass().getMethods()) {
      boolean timeout =
          getter.getName().matches("get.*Time[Oo]ut") && getter.getParameterCount() == 0;
      Object value = timeout ? getter.invoke(options) : null;
      boolean none = value == null || value.equals(Duration.ZERO);
      if (!none && !(value instanceof Number number && number.longValue() <= 0)) {
        found.put(options.getClass().getSimpleName() + "." + getter.getName().substring(3), value);
      }
    }
  }

  @Test
  void tlsHandshakeIsBounded() {
    ClientSSLOptions tls = HttpTransport.tls(OPTIONS);
    assertEquals(TimeUnit.MILLISECONDS, tls.getSslHandshakeTimeoutUnit());
    assertEquals(10_000, tls.getSslHandshakeTimeout());
  }
}
