package io.fairlead.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.client.CallRequest;
import io.fairlead.client.Credentials;
import io.fairlead.client.HttpLink;
import io.fairlead.client.HttpLinkOptions;
import io.fairlead.client.HttpTransport;
import io.fairlead.client.Timing;
import io.fairlead.wire.Envelope;
import io.fairlead.wire.RpcId;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Links with waits short enough for thousands of cuts, whose own messages do not matter. */
final class CutLink implements HttpLink.Listener {
  private static final Timing QUICK =
      new Timing(
          Duration.ofMillis(20),
          Duration.ofMillis(160),
          Duration.ofMillis(10),
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          Duration.ofSeconds(1));

  private CutLink() {}

  static HttpLink open(Vertx vertx, Context loop, int port) throws Exception {
    HttpLinkOptions options =
        new HttpLinkOptions(
            URI.create("http://127.0.0.1:" + port + "/mcp"),
            Credentials.fixed(Map.of()),
            Duration.ofSeconds(5),
            1 << 20,
            1000,
            QUICK);
    byte[] params =
        ("{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                + "\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}")
            .getBytes(UTF_8);
    Promise<HttpLink> opened = Promise.promise();
    loop.runOnContext(
        v ->
            HttpLink.open(new HttpTransport(vertx, options), params, new CutLink())
                .onComplete(opened));
    return opened.future().await(10, TimeUnit.SECONDS);
  }

  /** A call of a tool that is told a key. */
  static CallRequest request(int id, String tool, String key) {
    String message =
        "{\"jsonrpc\":\"2.0\",\"id\":"
            + id
            + ",\"method\":\"tools/call\",\"params\":{\"name\":\""
            + tool
            + "\",\"arguments\":{\"key\":\""
            + key
            + "\"}}}";
    return new CallRequest(message.getBytes(UTF_8), RpcId.of(id), "tools/call", Map.of());
  }

  @Override
  public void message(Envelope message) {}

  @Override
  public void closed(String reason) {}
}
