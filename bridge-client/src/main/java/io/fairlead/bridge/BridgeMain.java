package io.fairlead.bridge;

import io.fairlead.client.HttpTransport;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Starts the bridge, and ends the process when its client or a signal says so.
 *
 * <p>Thread: the main thread; the bridge goes on without it.
 */
public final class BridgeMain {
  private static final Logger LOG = LoggerFactory.getLogger(BridgeMain.class);
  private static final int USAGE = 2;
  private static final int OTHER = 1;
  private static final Duration CLOSING = Duration.ofMillis(2500);
  private static final long FLUSH_MILLIS = 500;

  private final BridgeOptions options;
  private final Vertx vertx = Vertx.vertx(vertxOptions());
  private final Context owner = vertx.getOrCreateContext();
  private final StdoutWriter out =
      new StdoutWriter(new FileOutputStream(FileDescriptor.out), owner);

  private BridgeMain(BridgeOptions options) {
    this.options = options;
  }

  public static void main(String[] arguments) {
    BridgeOptions options = new BridgeOptions();
    CommandLine commandLine = BridgeOptions.commandLine(options);
    try {
      commandLine.parseArgs(arguments);
      if (commandLine.isUsageHelpRequested()) {
        commandLine.usage(System.out);
        return;
      }
      if (commandLine.isVersionHelpRequested()) {
        System.out.println("fairlead-bridge " + version());
        return;
      }
      options.check(System.getenv());
      LogOutput.open(options.logLevel(), options.logFile());
    } catch (ParameterException e) {
      System.err.println(e.getMessage());
      commandLine.usage(System.err);
      System.exit(USAGE);
    } catch (IOException e) {
      System.err.println("cannot write --log-file: " + e.getMessage());
      System.exit(OTHER);
    }
    // whatever else is in the process has no business on stdout
    System.setOut(System.err);
    new BridgeMain(options).start();
  }

  private static String version() {
    return Optional.ofNullable(BridgeMain.class.getPackage().getImplementationVersion())
        .orElse("development");
  }

  /** Threads are few, and files are never served. */
  private static VertxOptions vertxOptions() {
    return new VertxOptions()
        .setEventLoopPoolSize(1)
        .setWorkerPoolSize(2)
        .setInternalBlockingPoolSize(2)
        .setFileSystemOptions(
            new FileSystemOptions()
                .setFileCachingEnabled(false)
                .setClassPathResolvingEnabled(false));
  }

  private void start() {
    vertx.exceptionHandler(BridgeMain::failed);
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> failed(failure));
    owner.runOnContext(v -> run());
  }

  private void run() {
    HttpTransport transport = new HttpTransport(vertx, options.link(vertx));
    String instance = "bridge-" + UUID.randomUUID();
    Bridge bridge = new Bridge(vertx, options, transport, out, instance, this::halt);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> terminate(bridge), "terminate"));
    out.start(bridge::drained, bridge::abandon);
    new StdinReader(new FileInputStream(FileDescriptor.in), options.maxMessage(), owner, bridge)
        .start();
  }

  /** Without memory for what it has to do, a bridge that stays is one that answers nobody. */
  private static void failed(Throwable failure) {
    try {
      LOG.error("The bridge has failed", failure);
    } finally {
      if (failure instanceof Error) {
        Runtime.getRuntime().halt(OTHER);
      }
    }
  }

  /** Ends the process, on a thread that may wait; no hook runs. */
  private void halt() {
    Thread last =
        new Thread(
            () -> {
              out.finish(FLUSH_MILLIS);
              Runtime.getRuntime().halt(0);
            },
            "exit");
    last.start();
  }

  /** On SIGTERM or SIGINT. The process is halted when the bridge has ended, or did not in time. */
  private void terminate(Bridge bridge) {
    owner.runOnContext(v -> bridge.end());
    try {
      Thread.sleep(options.drainTimeout().plus(CLOSING).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(0);
  }
}
