package io.fairlead.gateway;

import io.fairlead.gateway.config.ConfigResult;
import io.fairlead.gateway.config.Version;
import io.vertx.core.Deployable;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the process.
 *
 * <p>Thread: the main thread; a gateway that serves goes on without it.
 */
public final class Main {
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);

  private boolean serves;

  private Main() {}

  public static void main(String[] arguments) {
    Main main = new Main();
    int code = new Cli(System.out, System.err, main::serve).run(arguments);
    if (!main.serves) {
      System.exit(code);
    }
  }

  private int serve(Callable<ConfigResult> loading, Optional<Watched> watched) {
    Vertx vertx = Vertx.vertx(options());
    logStart(vertx);
    Optional<Throwable> failure =
        vertx
            .deployVerticle(
                watched
                    .<Deployable>map(files -> new ReloadVerticle(files, loading, System.out))
                    .orElseGet(() -> new CliVerticle(loading, System.out)))
            .map(id -> Optional.<Throwable>empty())
            .otherwise(Optional::of)
            .await();
    serves = failure.isEmpty();
    return failure.map(cause -> fail(vertx, cause)).orElse(ExitCode.OK);
  }

  private static int fail(Vertx vertx, Throwable failure) {
    vertx.close().await();
    if (failure instanceof StartFailure known) {
      System.err.println(known.getMessage());
      return known.exitCode();
    }
    if (failure instanceof IOException) {
      LOG.error("could not start: {}", failure.getMessage());
    } else {
      LOG.error("could not start", failure);
    }
    return ExitCode.OTHER;
  }

  /** The native transport can notice a dead peer; files are never served, so no cache for them. */
  private static VertxOptions options() {
    return new VertxOptions()
        .setPreferNativeTransport(true)
        .setFileSystemOptions(
            new FileSystemOptions()
                .setFileCachingEnabled(false)
                .setClassPathResolvingEnabled(false));
  }

  private static void logStart(Vertx vertx) {
    LOG.info(
        "starting version={} java={} transport={}",
        Version.TEXT,
        Runtime.version(),
        vertx.isNativeTransportEnabled() ? "native" : "nio");
    if (vertx.unavailableNativeTransportCause() != null) {
      LOG.info("no native transport: {}", vertx.unavailableNativeTransportCause().getMessage());
    }
  }
}
