package io.fairlead.gateway;

import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.config.ConfigChange;
import io.fairlead.gateway.config.ConfigLoader;
import io.fairlead.gateway.config.GatewayConfig;
import io.fairlead.gateway.observe.PrometheusMetrics;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A gateway of its own for one test, on a free port, and what it holds. */
final class TestGateway implements AutoCloseable {
  private static final long NANOS = Duration.ofSeconds(10).toNanos();

  /** Everything that a gateway may hold on to. */
  record Holdings(int sessions, int handshakes, int calls, int sinks, int streams, long events) {}

  private final Vertx vertx;
  private final GatewayVerticle verticle;
  private final String deployment;
  private boolean closed;

  private TestGateway(Vertx vertx, GatewayVerticle verticle, String deployment) {
    this.vertx = vertx;
    this.verticle = verticle;
    this.deployment = deployment;
  }

  static TestGateway start(String hocon, Backend... locals) throws Exception {
    return start(config(hocon, locals), List.of(locals));
  }

  /** With tools of the application of which not all need be configured. */
  static TestGateway start(GatewayConfig config, List<Backend> locals) throws Exception {
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    GatewayVerticle verticle = new GatewayVerticle(config, locals);
    String deployment = vertx.deployVerticle(verticle).await(20, TimeUnit.SECONDS);
    return new TestGateway(vertx, verticle, deployment);
  }

  /** What {@link #start} starts with; {@code hocon} may override. */
  static GatewayConfig config(String hocon, Backend... locals) {
    StringBuilder config =
        new StringBuilder("listen.port = 0\nshutdown.drain = 200ms\n").append(hocon).append('\n');
    for (Backend local : locals) {
      config.append("backends.").append(local.name()).append(".type = local\n");
    }
    return ConfigLoader.parse(config.toString()).orElseThrow();
  }

  /** Puts another configuration in force, and waits until it is. */
  ConfigChange apply(String hocon, Backend... locals) throws Exception {
    return verticle.apply(config(hocon, locals)).await(10, TimeUnit.SECONDS);
  }

  int port() {
    return verticle.actualPort();
  }

  /** One exchange at the endpoint of all backends. */
  McpSocket send(String verb, String body, String... headers) throws IOException {
    return McpSocket.send(port(), verb, "/mcp", body, headers);
  }

  Vertx vertx() {
    return vertx;
  }

  /** Whether it runs on the transport of the operating system. */
  boolean isNative() {
    return vertx.isNativeTransportEnabled();
  }

  GatewayVerticle verticle() {
    return verticle;
  }

  /** Reads something on the owner loop. */
  <T> T read(Function<Assembly, T> what) {
    CompletableFuture<T> read = new CompletableFuture<>();
    Assembly parts = verticle.parts();
    parts.services().loop().execute(() -> read.complete(what.apply(parts)));
    return read.orTimeout(10, TimeUnit.SECONDS).join();
  }

  Holdings holdings() {
    return read(
        parts ->
            new Holdings(
                parts.sessions().size(),
                parts.sessions().handshakes(),
                parts.services().tally().calls(),
                parts.services().tally().sinks(),
                parts.services().tally().streams(),
                parts.services().store().events()));
  }

  /** What a Prometheus server would get; for the owner loop. */
  static String scrape(Assembly parts) {
    return ((PrometheusMetrics) parts.services().metrics()).scrape();
  }

  /** How often each reason has been refused for; needs {@code management.enabled}. */
  Map<String, Double> refusals() {
    Map<String, Double> counts = new TreeMap<>();
    for (String line : read(TestGateway::scrape).split("\n")) {
      if (line.startsWith("fairlead_refused_total{reason=\"")) {
        String[] parts = line.substring(line.indexOf('"') + 1).split("\"} ");
        counts.put(parts[0], Double.valueOf(parts[1]));
      }
    }
    return counts;
  }

  /**
   * The leak oracle: every gauge that is neither a limit nor the whole heap; needs {@code
   * management.enabled}.
   */
  Map<String, String> gauges() {
    String[] lines = read(TestGateway::scrape).split("\n");
    Set<String> names = new HashSet<>();
    for (String line : lines) {
      if (line.startsWith("# TYPE") && line.endsWith(" gauge")) {
        names.add(line.split(" ")[2]);
      }
    }
    names.removeIf(name -> name.matches(".*_(limit|max|heap_bytes)"));
    return Arrays.stream(lines)
        .filter(line -> names.contains(line.split("[{ ]")[0]))
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.lastIndexOf(' ')),
                line -> line.substring(line.lastIndexOf(' ') + 1)));
  }

  /** Waits until {@code condition} holds, at most ten seconds. */
  static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not in time: " + what);
      }
      Thread.onSpinWait();
    }
  }

  /** Undeploys it, which drains. */
  void drain() {
    if (!closed) {
      closed = true;
      await(vertx.undeploy(deployment));
    }
  }

  @Override
  public void close() {
    drain();
    await(vertx.close());
  }

  private static void await(Future<?> future) {
    try {
      future.await(30, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("not in time", e);
    }
  }
}
