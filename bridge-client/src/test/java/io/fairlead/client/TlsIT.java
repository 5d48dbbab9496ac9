package io.fairlead.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PfxOptions;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over TLS the server's certificate and name are checked before anything is sent. */
class TlsIT {
  @TempDir Path directory;

  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger requests = new AtomicInteger();
  private PfxOptions key;
  private int port;

  @BeforeEach
  void open() throws Exception {
    key = new PfxOptions().setPath(directory.resolve("key.p12").toString()).setPassword("secret");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    String command =
        keytool
            + " -genkeypair -alias server -keyalg EC -storetype PKCS12 -storepass secret"
            + " -dname CN=localhost -ext san=dns:localhost -keystore "
            + key.getPath();
    assertEquals(0, new ProcessBuilder(command.split(" ")).inheritIO().start().waitFor());
    HttpServerOptions options = new HttpServerOptions().setSsl(true).setKeyCertOptions(key);
    port =
        vertx
            .createHttpServer(options)
            .requestHandler(this::answer)
            .listen(0, "127.0.0.1")
            .await()
            .actualPort();
  }

  private void answer(HttpServerRequest request) {
    requests.incrementAndGet();
    if (request.method() == HttpMethod.GET) {
      request.response().setStatusCode(405).end();
      return;
    }
    request.response().putHeader("Content-Type", "application/json");
    request.body().onSuccess(body -> request.response().end(answer(body.toJsonObject())));
  }

  private static String answer(JsonObject message) {
    JsonObject result = new JsonObject().put("protocolVersion", "2025-11-25");
    return new JsonObject()
        .put("jsonrpc", "2.0")
        .put("id", message.getValue("id"))
        .put("result", result)
        .encode();
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private HttpLinkOptions options(String host, ClientSSLOptions tls) {
    return new HttpLinkOptions(
        URI.create("https://" + host + ":" + port + "/mcp"),
        tls,
        Credentials.fixed(Map.of()),
        Duration.ofSeconds(5),
        1 << 20,
        10,
        LinkBed.QUICK);
  }

  private ClientSSLOptions trusting() {
    return new ClientSSLOptions().setTrustOptions(key);
  }

  @Test
  void linkIsOpenedWhenCertificateIsTrusted() {
    try (LinkBed bed = new LinkBed(options("localhost", trusting()))) {
      assertTrue(bed.tool(1).take().startsWith("answer "));
    }
  }

  @Test
  void linkIsNotOpenedWhenCertificateIsUnknown() {
    assertRefused(options("localhost", new ClientSSLOptions()));
  }

  @Test
  void linkIsNotOpenedWhenCertificateIsForAnotherName() {
    assertRefused(options("127.0.0.1", trusting()));
  }

  private void assertRefused(HttpLinkOptions options) {
    LinkFailure failure = assertThrows(LinkFailure.class, () -> new LinkBed(options));
    assertEquals("The backend did not answer initialize (TLS failed).", failure.getMessage());
    assertEquals(0, requests.get());
  }
}
