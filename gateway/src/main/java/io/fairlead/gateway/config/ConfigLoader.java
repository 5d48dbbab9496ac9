package io.fairlead.gateway.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigOriginFactory;
import com.typesafe.config.ConfigParseOptions;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads a configuration from HOCON, over the defaults in {@code reference.conf}.
 *
 * <p>Thread: any; reads files, so never an event loop.
 */
public final class ConfigLoader {
  private static final String COMMAND_LINE = "command line";
  private static final ConfigOrigin ORIGIN_OF_OVERRIDES =
      ConfigOriginFactory.newSimple(COMMAND_LINE);

  private static final Config REFERENCE = parseReference();

  private ConfigLoader() {}

  /**
   * Reads a file with its includes; {@code ${?NAME}} is a variable of the environment.
   *
   * @param file empty: the defaults alone
   * @param overrides value by full key, stronger than the file; one that starts with a bracket or a
   *     brace is a HOCON list or section
   */
  public static ConfigResult load(Optional<Path> file, Map<String, String> overrides) {
    String source = file.map(Path::toString).orElse(COMMAND_LINE);
    if (file.isPresent() && !Files.isReadable(file.get())) {
      return refused(source, "cannot be read", "name an existing file that this user may read");
    }
    if (file.filter(found -> !Files.isRegularFile(found)).isPresent()) {
      // to open a pipe waits for its writer, and nothing would be read any more
      return refused(
          source,
          "is not a regular file, kind=" + (Files.isDirectory(file.get()) ? "directory" : "other"),
          "name a file; what a command writes goes into one first");
    }
    Includes includes = new Includes();
    return guarded(
        source,
        () -> {
          Optional<Config> written = file.map(found -> parseFile(found, includes));
          return written.filter(Config::isEmpty).isPresent()
              ? refused(
                  source,
                  "holds no key, nor does what it includes",
                  "write one, or start without a file to have the defaults")
              : read(overrides, written.orElse(ConfigFactory.empty()), source, includes);
        });
  }

  /** Reads a text, for tests and for applications that embed the gateway. */
  public static ConfigResult parse(String hocon) {
    String source = "configuration";
    return guarded(
        source,
        () ->
            read(
                Map.of(),
                ConfigFactory.parseString(
                    hocon, ConfigParseOptions.defaults().setOriginDescription(source)),
                source,
                new Includes()));
  }

  /** What runs when nothing is configured: the demo backend on loopback. */
  public static GatewayConfig defaults() {
    return parse("").orElseThrow();
  }

  private static ConfigResult guarded(String source, Supplier<ConfigResult> reading) {
    try {
      return reading.get();
    } catch (ConfigException e) {
      return refused(e, source);
    } catch (StackOverflowError e) {
      // the library reads, resolves and merges by recursion, and has no bound of its own
      return refused(
          source, "is nested too deeply to be read", "write fewer brackets within brackets");
    }
  }

  private static ConfigResult read(
      Map<String, String> overrides, Config file, String source, Includes includes) {
    ConfigTree tree = new ConfigTree(single(overrides), file, source, reference());
    return new ConfigSections(tree, includes).read();
  }

  private static Config parseFile(Path file, Includes includes) {
    // the library looks for includes in the parent that is written, and else nowhere
    Path named = file.getParent() == null ? Path.of(".").resolve(file) : file;
    return ConfigFactory.parseFile(
        named.toFile(),
        ConfigParseOptions.defaults().setAllowMissing(false).prependIncluder(includes));
  }

  /** What {@code reference.conf} says. */
  static Config reference() {
    return REFERENCE;
  }

  /** Ours alone, by its place: an application around us may have a {@code reference.conf} too. */
  private static Config parseReference() {
    try (Reader text =
        new InputStreamReader(
            ConfigLoader.class.getResourceAsStream("reference.conf"), StandardCharsets.UTF_8)) {
      return ConfigFactory.parseReader(
          text, ConfigParseOptions.defaults().setOriginDescription(ConfigTree.BUILT_IN));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Config single(Map<String, String> overrides) {
    Map<String, Object> values = new LinkedHashMap<>();
    try {
      overrides.forEach((key, text) -> values.put(key, value(text)));
      return ConfigFactory.parseMap(values, COMMAND_LINE);
    } catch (ConfigException e) {
      throw new ConfigException.Parse(ORIGIN_OF_OVERRIDES, e.getMessage(), e);
    }
  }

  private static Object value(String text) {
    return text.startsWith("[") || text.startsWith("{")
        ? ConfigFactory.parseString("v = " + text).getValue("v").unwrapped()
        : text;
  }

  private static ConfigResult refused(ConfigException e, String source) {
    Optional<ConfigOrigin> origin = Optional.ofNullable(e.origin());
    String where = origin.map(ConfigTree::where).orElse(source);
    // what the library believes to be its own fault it tells with the whole configuration, secrets
    // too
    String text =
        e instanceof ConfigException.BugOrBroken
            ? "cannot be put together"
            : e.getMessage().replaceAll("\\s+", " ");
    String prefix = origin.map(found -> found.description() + ": ").orElse("");
    return refused(
        where,
        text.startsWith(prefix) ? text.substring(prefix.length()) : text,
        e instanceof ConfigException.UnresolvedSubstitution
            ? "set that variable, or write ${?NAME} if it may be absent"
            : "correct the text there");
  }

  private static ConfigResult refused(String where, String what, String remedy) {
    return new ConfigResult.Refused(List.of(new ConfigProblem(where, "", what, remedy)));
  }
}
