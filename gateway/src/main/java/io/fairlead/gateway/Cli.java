package io.fairlead.gateway;

import io.fairlead.gateway.config.BackendConfig;
import io.fairlead.gateway.config.ConfigLoader;
import io.fairlead.gateway.config.ConfigProblem;
import io.fairlead.gateway.config.ConfigResult;
import io.fairlead.gateway.config.TlsConfig;
import io.fairlead.gateway.config.Version;
import io.fairlead.gateway.http.TlsFiles;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToIntBiFunction;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The command line: flags, commands and exit codes.
 *
 * <p>Thread: the main thread.
 */
@Command(
    name = "fairlead",
    description = "An MCP gateway: no result is lost, and no tool runs twice.",
    sortOptions = false,
    footer = {
      "",
      "Exit codes: 0; 2 usage; 3 configuration refused; 4 address in use; 1 anything else.",
      "Logs go to stderr, their level is FAIRLEAD_LOG_LEVEL (INFO)."
    })
final class Cli implements Callable<Integer> {
  private final String version = "fairlead " + Version.TEXT;
  private final PrintStream out;
  private final PrintStream err;
  private final ToIntBiFunction<Callable<ConfigResult>, Optional<Watched>> serving;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "HOCON; without it: the built-in defaults and the demo backend")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--host",
      paramLabel = "HOST",
      scope = ScopeType.INHERIT,
      description = "override listen.host")
  private Optional<String> host = Optional.empty();

  @Option(
      names = "--port",
      paramLabel = "PORT",
      scope = ScopeType.INHERIT,
      description = "override listen.port; 0 takes a free one")
  private Optional<Integer> port = Optional.empty();

  @Option(
      names = "--watch",
      scope = ScopeType.INHERIT,
      description =
          "reload mode: apply each good change of the configuration while running, and at"
              + " once on SIGHUP")
  private boolean watch;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      scope = ScopeType.INHERIT,
      description = "override one key, as in -D sessions.max=10")
  private Map<String, String> overrides = new LinkedHashMap<>();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "show this and exit")
  private boolean help;

  @Option(names = "--version", versionHelp = true, description = "print the version and exit")
  private boolean versionAsked;

  /**
   * @param serving runs the gateway with the configuration that it loads, and watches what it is
   *     given; answers with the exit code
   */
  Cli(
      PrintStream out,
      PrintStream err,
      ToIntBiFunction<Callable<ConfigResult>, Optional<Watched>> serving) {
    this.out = out;
    this.err = err;
    this.serving = serving;
  }

  int run(String... arguments) {
    CommandLine command = new CommandLine(this);
    command.getCommandSpec().version(version);
    return command
        .setExpandAtFiles(false)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @Override
  public Integer call() {
    return serve();
  }

  @Command(description = "run the gateway; this is what happens without a command")
  int serve() {
    if (watch && file.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--watch needs a file to watch; name one with --config");
    }
    return serving.applyAsInt(
        this::load, file.filter(found -> watch).map(found -> new Watched(found, stronger())));
  }

  @Command(description = "validate the configuration, print every problem with file and line, exit")
  int check() {
    return load()
        .fold(
            accepted -> {
              out.println(
                  "configuration is good, backends="
                      + String.join(",", accepted.config().backends().keySet()));
              return ExitCode.OK;
            },
            this::refuse);
  }

  @Command(name = "print-config", description = "print the resolved configuration, secrets masked")
  int printConfig() {
    return load()
        .fold(
            accepted -> {
              out.print(accepted.print());
              return ExitCode.OK;
            },
            this::refuse);
  }

  @Command(
      description = "print a completion script for bash and zsh: source <(fairlead completion)")
  int completion() {
    out.print(AutoComplete.bash(spec.name(), spec.commandLine()));
    return ExitCode.OK;
  }

  @Command(description = "print the version")
  int version() {
    out.println(version);
    return ExitCode.OK;
  }

  private int refuse(ConfigResult.Refused refused) {
    err.println(refused.text());
    return ExitCode.CONFIGURATION;
  }

  private ConfigResult load() {
    return ConfigLoader.load(file, stronger())
        .fold(Cli::withLocalTools, refused -> refused)
        .fold(Cli::withTlsFiles, refused -> refused);
  }

  /** What is wrong with certificate and key is told with its place, before anything starts. */
  private static ConfigResult withTlsFiles(ConfigResult.Accepted accepted) {
    Optional<TlsConfig> tls = accepted.config().listen().tls();
    try {
      if (tls.isPresent()) {
        TlsFiles.read(tls.get());
      }
      return accepted;
    } catch (TlsFiles.Unusable e) {
      List<String> key = List.of("listen", "tls", e.key());
      return new ConfigResult.Refused(List.of(accepted.problem(key, e.what(), e.remedy())));
    }
  }

  private Map<String, String> stronger() {
    Map<String, String> stronger = new LinkedHashMap<>(overrides);
    host.ifPresent(value -> stronger.put("listen.host", value));
    port.ifPresent(value -> stronger.put("listen.port", value.toString()));
    return stronger;
  }

  /** Tools of other local backends are registered by an application, and there is none. */
  private static ConfigResult withLocalTools(ConfigResult.Accepted accepted) {
    List<ConfigProblem> problems =
        accepted.config().backends().entrySet().stream()
            .filter(backend -> backend.getValue() instanceof BackendConfig.Local)
            .map(Map.Entry::getKey)
            .filter(name -> !name.equals(Backends.DEMO))
            .map(
                name ->
                    accepted.problem(
                        List.of("backends", name),
                        "has no tools: of type local there is only " + Backends.DEMO,
                        "write another type, or remove it"))
            .toList();
    return problems.isEmpty() ? accepted : new ConfigResult.Refused(problems);
  }
}
