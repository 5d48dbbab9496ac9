package io.fairlead.gateway.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads one backend: its type decides which keys it has.
 *
 * <p>Thread: one at a time.
 */
final class BackendSection {
  private static final Map<String, Function<SectionReader, BackendConfig>> TYPES =
      Map.of(
          "event-bus", EventBusSection::read,
          "local", BackendSection::local,
          "http", BackendSection::http,
          "stdio", BackendSection::stdio);

  /** The keys under which any name may be written. */
  static final Set<String> MAPS =
      Stream.concat(Stream.of("headers", "env"), EventBusSection.MAPS.stream())
          .collect(Collectors.toUnmodifiableSet());

  private final ConfigTree tree;
  private final SectionReader backends;
  private final String name;

  BackendSection(ConfigTree tree, SectionReader backends, String name) {
    this.tree = tree;
    this.backends = backends;
    this.name = name;
  }

  Optional<BackendConfig> read() {
    return backends.section(name, tree.defaults(tree.backendType(name)), this::backend);
  }

  private BackendConfig backend(SectionReader section) {
    String type = section.text("type");
    Function<SectionReader, BackendConfig> reading = TYPES.get(type);
    if (reading == null) {
      section.leaveRest();
      section.refuse(
          "type",
          type.isEmpty() ? "is missing" : "is not a type of backend, value=" + type,
          "write one of " + String.join(", ", new TreeMap<>(TYPES).keySet()));
      throw new InvalidConfig(List.of());
    }
    return reading.apply(section);
  }

  private static BackendConfig local(SectionReader section) {
    return new BackendConfig.Local(section.textOrAuto("prefix"), CallTimeout.read(section));
  }

  private static BackendConfig http(SectionReader section) {
    String url = section.text("url");
    section.mask("url", Masked.url(url));
    return new BackendConfig.Http(
        url,
        section.secrets("headers"),
        section.duration("connect-timeout"),
        section.bytesInt("max-message"),
        section.textOrOff("principal-header"),
        section.textOrAuto("prefix"),
        CallTimeout.read(section));
  }

  private static BackendConfig stdio(SectionReader section) {
    return new BackendConfig.Stdio(
        section.texts("command"),
        section.secrets("env"),
        section.textOrOff("working-directory"),
        section.choice("scope", Map.of("session", false, "shared", true)),
        section.integer("max-children"),
        section.duration("start-timeout"),
        section.duration("stop-timeout"),
        section.bytesInt("max-message"),
        section.textOrAuto("prefix"),
        CallTimeout.read(section));
  }
}
