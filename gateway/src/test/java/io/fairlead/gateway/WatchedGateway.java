package io.fairlead.gateway;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.fairlead.gateway.backend.Backend;
import io.fairlead.gateway.config.ConfigLoader;
import io.fairlead.gateway.config.ConfigResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * A gateway that is kept in step with a file, as {@code serve --watch} does it, and what is said of
 * that. The file is read every 50 ms.
 *
 * <p>Thread: the test's.
 */
final class WatchedGateway implements AutoCloseable {
  private static final Map<String, String> OVERRIDES =
      Map.of("listen.port", "0", "reload.period", "50ms");

  private final Vertx vertx;
  private final Path file;
  private final GatewayVerticle gateway;
  private final Context loop;
  private final Watch watch;
  private final Said said = new Said();

  private WatchedGateway(Vertx vertx, Path file, GatewayVerticle gateway) {
    this.vertx = vertx;
    this.file = file;
    this.gateway = gateway;
    this.loop = vertx.getOrCreateContext();
    Launch.Started started =
        new Launch.Started(
            gateway, load(file).fold(accepted -> accepted, refused -> failed(refused.text())));
    CompletableFuture<Watch> made = new CompletableFuture<>();
    loop.runOnContext(
        now -> {
          Callable<ConfigResult> loading = () -> load(file);
          made.complete(
              new Watch(vertx, new Watched(file, OVERRIDES), loading, started, change -> {}));
        });
    this.watch = made.orTimeout(10, TimeUnit.SECONDS).join();
  }

  private static ConfigResult.Accepted failed(String text) {
    throw new AssertionError(text);
  }

  /** Starts with what is in {@code file}. */
  static WatchedGateway start(Path file, Backend... locals) throws Exception {
    Vertx vertx = Vertx.vertx();
    GatewayVerticle gateway =
        new GatewayVerticle(load(file).orElseThrow(), List.<Backend>of(locals));
    vertx.deployVerticle(gateway).await(20, TimeUnit.SECONDS);
    return new WatchedGateway(vertx, file, gateway);
  }

  private static ConfigResult load(Path file) {
    return ConfigLoader.load(Optional.of(file), OVERRIDES);
  }

  int port() {
    return gateway.actualPort();
  }

  GatewayVerticle verticle() {
    return gateway;
  }

  /** Puts a text in the place of the file. */
  void write(String text) throws IOException {
    write(file, text);
  }

  /** The same for another file. */
  static void write(Path file, String text) throws IOException {
    Path written = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** What SIGHUP does. */
  void reload() {
    loop.runOnContext(now -> watch.reload());
  }

  /** Waits until something is said that contains {@code text}, and returns it. */
  String said(String text) {
    TestGateway.until(
        "said " + text + ", was " + said.lines, () -> said.lines.stream().anyMatch(has(text)));
    return said.lines.stream().filter(has(text)).findFirst().orElseThrow();
  }

  /** How often something was said that contains {@code text}. */
  long times(String text) {
    return said.lines.stream().filter(has(text)).count();
  }

  /** Waits until the file was read {@code times} more, whatever is in it. */
  void readAgain(int times) throws Exception {
    for (int i = 0; i < times; i++) {
      int before = said.lines.size();
      reload();
      TestGateway.until("it answers the reload", () -> said.lines.size() > before);
    }
  }

  private static java.util.function.Predicate<String> has(String text) {
    return line -> line.contains(text);
  }

  @Override
  public void close() {
    try {
      CompletableFuture<Future<Void>> closing = new CompletableFuture<>();
      loop.runOnContext(now -> closing.complete(watch.close()));
      closing.get(10, TimeUnit.SECONDS).await(10, TimeUnit.SECONDS);
      vertx.close().await(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      said.close();
    }
  }

  /** What is said of the configuration. */
  private static final class Said extends AppenderBase<ILoggingEvent> {
    private final Logger logger = (Logger) org.slf4j.LoggerFactory.getLogger(Watch.class);
    private final List<String> lines = new CopyOnWriteArrayList<>();

    Said() {
      logger.setLevel(Level.INFO);
      logger.setAdditive(false);
      logger.addAppender(this);
      start();
    }

    @Override
    protected void append(ILoggingEvent event) {
      lines.add(event.getLevel() + " " + event.getFormattedMessage());
    }

    private void close() {
      logger.detachAppender(this);
      logger.setAdditive(true);
      logger.setLevel(null);
    }
  }
}
