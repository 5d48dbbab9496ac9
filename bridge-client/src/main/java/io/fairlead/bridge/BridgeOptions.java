package io.fairlead.bridge;

import io.fairlead.client.Credentials;
import io.fairlead.client.HttpLinkOptions;
import io.fairlead.client.Probing;
import io.fairlead.client.Timing;
import io.vertx.core.Vertx;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command line of the bridge.
 *
 * <p>Thread: the main thread until parsed, then any; nothing changes any more.
 */
@Command(
    name = "fairlead-bridge",
    description =
        "A stdio MCP server that forwards to the Streamable HTTP server at URL."
            + " stdout carries MCP messages alone.",
    sortOptions = false,
    footer = {"", "Exit codes: 0; 2 usage; 1 anything else."})
final class BridgeOptions {
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[::1\\]", Pattern.CASE_INSENSITIVE);
  private static final int MAX_CONNECTIONS = 1024;
  private static final Duration IDLE_PROBES = Duration.ofSeconds(15);

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "URL", description = "the server's MCP endpoint")
  private URI url;

  @Option(
      names = "--header",
      paramLabel = "'NAME: VALUE'",
      description = "sent with each request; $${ENV} is expanded; repeatable")
  private List<String> headers = new ArrayList<>();

  @Option(names = "--header-file", paramLabel = "FILE", description = "more headers, one a line")
  private Optional<Path> headerFile = Optional.empty();

  @Option(
      names = "--bearer-file",
      paramLabel = "FILE",
      description = "a token to send, read anew for each connection")
  private Optional<Path> bearerFile = Optional.empty();

  @Option(names = "--allow-http", description = "allow plain HTTP to a host beyond loopback")
  private boolean allowHttp;

  @Option(names = "--ca-file", paramLabel = "FILE", description = "authorities to trust, PEM")
  private Optional<Path> caFile = Optional.empty();

  @Option(names = "--insecure", description = "do not check the server's certificate")
  private boolean insecure;

  @Option(names = "--connect-timeout", paramLabel = "TIME", description = "${DEFAULT-VALUE}")
  private Duration connectTimeout = Duration.ofSeconds(5);

  @Option(
      names = "--start-timeout",
      paramLabel = "TIME",
      description = "how long initialize waits for an absent server: ${DEFAULT-VALUE}")
  private Duration startTimeout = Duration.ofSeconds(60);

  @Option(
      names = "--drain-timeout",
      paramLabel = "TIME",
      description = "how long calls in flight are awaited at the end: ${DEFAULT-VALUE}")
  private Duration drainTimeout = Duration.ofSeconds(2);

  @Option(names = "--probe-interval", paramLabel = "TIME", description = "${DEFAULT-VALUE}")
  private Duration probeInterval = Duration.ofSeconds(1);

  @Option(
      names = "--probe-failures",
      paramLabel = "N",
      description = "in a row, then the server counts as gone: ${DEFAULT-VALUE}")
  private int probeFailures = 3;

  @Option(names = "--no-monitor", description = "do not watch whether the server lives")
  private boolean noMonitor;

  @Option(
      names = "--max-message",
      paramLabel = "SIZE",
      defaultValue = "auto",
      description =
          "bytes of one message, each way: auto is a sixteenth of the heap, at most 64MiB")
  private ByteSize maxMessage;

  @Option(
      names = "--ignore-tool",
      paramLabel = "PATTERN",
      description = "hide tools with this name, * stands for anything; repeatable")
  private List<String> ignoredTools = new ArrayList<>();

  @Option(names = "--debug", description = "log more, on stderr")
  private boolean debug;

  @Option(names = "--log-file", paramLabel = "FILE", description = "log there as well")
  private Optional<Path> logFile = Optional.empty();

  @Option(names = "--silent", description = "log nothing")
  private boolean silent;

  @Option(names = "--version", versionHelp = true, description = "print the version and exit")
  private boolean version;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "print this and exit")
  private boolean help;

  private Map<String, String> fixedHeaders = Map.of();

  /** A command line that reads into {@code options}. */
  static CommandLine commandLine(BridgeOptions options) {
    return new CommandLine(options)
        .registerConverter(Duration.class, Readings::duration)
        .registerConverter(ByteSize.class, Readings::size);
  }

  /** What no single option shows. */
  void check(Map<String, String> environment) {
    try {
      HttpLinkOptions link = link(Credentials.fixed(Map.of()));
      if (link.url().getScheme().equalsIgnoreCase("http")
          && !allowHttp
          && !LOOPBACK.matcher(link.url().getHost()).matches()) {
        throw new IllegalArgumentException(
            "plain HTTP to host="
                + link.url().getHost()
                + " would show everything to the network: use https, or --allow-http");
      }
      fixedHeaders = HeaderLines.read(headers, headerFile, environment);
      if (probeFailures < 1) {
        throw new IllegalArgumentException("--probe-failures=" + probeFailures + " is below 1");
      }
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
  }

  HttpLinkOptions link(Vertx vertx) {
    return link(
        bearerFile
            .<Credentials>map(file -> new BearerFile(vertx, fixedHeaders, file))
            .orElse(Credentials.fixed(fixedHeaders)));
  }

  private HttpLinkOptions link(Credentials credentials) {
    return new HttpLinkOptions(
        url, tls(), credentials, connectTimeout, maxMessage.bytes(), MAX_CONNECTIONS, timing());
  }

  /** The server counts as gone after as long as the monitor would need to say so. */
  private Timing timing() {
    Timing usual = Timing.DEFAULT;
    Duration handshake =
        startTimeout.compareTo(usual.handshake()) < 0 ? startTimeout : usual.handshake();
    return new Timing(
        usual.firstDelay(),
        usual.maxDelay(),
        usual.minRetry(),
        usual.maxRetry(),
        probeInterval.multipliedBy(probeFailures),
        handshake,
        usual.write(),
        usual.probe(),
        usual.close());
  }

  private ClientSSLOptions tls() {
    ClientSSLOptions tls = new ClientSSLOptions().setHostnameVerificationAlgorithm("HTTPS");
    caFile.ifPresent(
        file -> tls.setTrustOptions(new PemTrustOptions().addCertPath(file.toString())));
    return insecure ? tls.setTrustAll(true).setHostnameVerificationAlgorithm("") : tls;
  }

  Optional<Probing> probing() {
    return noMonitor
        ? Optional.empty()
        : Optional.of(new Probing(probeInterval, IDLE_PROBES, probeFailures));
  }

  Duration startTimeout() {
    return startTimeout;
  }

  Duration drainTimeout() {
    return drainTimeout;
  }

  int maxMessage() {
    return maxMessage.bytes();
  }

  ToolFilter tools() {
    return new ToolFilter(ignoredTools);
  }

  Optional<Path> logFile() {
    return logFile;
  }

  String logLevel() {
    if (silent) {
      return "OFF";
    }
    return debug ? "DEBUG" : "WARN";
  }
}
