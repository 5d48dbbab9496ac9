package io.fairlead.gateway.config;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads the typed values of one section. A value that cannot be read is refused with its place and
 * the built-in one is used, so that reading goes on; a key that was never read is unknown.
 *
 * <p>Thread: one at a time.
 */
final class SectionReader {
  private final List<String> path;
  private final ConfigObject values;
  private final ConfigObject defaults;
  private final Findings findings;
  private final TreeSet<String> known = new TreeSet<>();
  private boolean open;

  SectionReader(List<String> path, ConfigObject values, ConfigObject defaults, Findings findings) {
    this.path = List.copyOf(path);
    this.values = values;
    this.defaults = defaults;
    this.findings = findings;
  }

  int integer(String key) {
    return read(key, Readings::exactInt, "a whole number", "write digits only");
  }

  double fraction(String key) {
    return read(
        key,
        value -> Double.parseDouble(Readings.string(value).strip()),
        "a number",
        "write a part of one, as in 0.9");
  }

  boolean flag(String key) {
    return read(
        key, value -> Readings.single(value).getBoolean("v"), "true or false", "write one of them");
  }

  String text(String key) {
    return read(key, Readings::string, "a text", "write it in quotes");
  }

  /** A text, or nothing when it is empty or {@code off}. */
  Optional<String> textOrOff(String key) {
    return Optional.of(text(key)).filter(text -> !text.isEmpty() && !text.equals(Readings.OFF));
  }

  /** A text that is shown nowhere, or nothing when it is empty or {@code off}. */
  Optional<String> secretOrOff(String key) {
    known.add(key);
    Optional<String> secret = Optional.empty();
    try {
      secret =
          Optional.of(Readings.string(values.get(key)))
              .filter(text -> !text.isEmpty() && !text.equals(Readings.OFF));
    } catch (ConfigException e) {
      refuse(key, "is not a text", "write it in quotes");
    }
    secret.ifPresent(found -> mask(key, Masked.VALUE));
    return secret;
  }

  /** A text, or nothing when it is {@code auto}. */
  Optional<String> textOrAuto(String key) {
    return Optional.of(text(key)).filter(text -> !text.equals("auto"));
  }

  List<String> texts(String key) {
    known.add(key);
    try {
      return Readings.strings(values.get(key));
    } catch (ConfigException e) {
      // without the value: a command may hold a secret
      refuse(key, "is not a list of texts", "write them in brackets: [\"a\", \"b\"]");
      return Readings.strings(defaults.get(key));
    }
  }

  long bytes(String key) {
    return read(key, Readings::size, "a size", "write a number with a unit: B, KiB or MiB");
  }

  int bytesInt(String key) {
    return read(
        key,
        value -> Math.toIntExact(Readings.size(value)),
        "a size below 2GiB",
        "write a number with a unit: B, KiB or MiB");
  }

  /** A size, or what is worked out when it is {@code auto}. */
  long bytesOrAuto(String key, long auto) {
    return read(
        key,
        value -> "auto".equals(value.unwrapped()) ? auto : Readings.size(value),
        "a size or auto",
        "write a number with a unit, B, KiB or MiB, or auto");
  }

  Duration duration(String key) {
    return read(key, Readings::time, "a duration", "write a number with a unit: ms, s, m, h or d");
  }

  Optional<Duration> durationOrOff(String key) {
    return read(
        key,
        value -> Readings.isOff(value) ? Optional.empty() : Optional.of(Readings.time(value)),
        "a duration or off",
        "write a number with a unit, ms, s, m, h or d, or off");
  }

  <T> T choice(String key, Map<String, T> choices) {
    return read(
        key,
        value ->
            Optional.ofNullable(choices.get(Readings.string(value)))
                .orElseThrow(Readings::unreadable),
        "one of the choices",
        "write one of " + String.join(", ", new TreeSet<>(choices.keySet())));
  }

  /** Texts by name, whose values are shown nowhere. */
  Map<String, String> secrets(String key) {
    Map<String, String> secrets = new TreeMap<>();
    section(
        key,
        inner -> {
          inner.open = true;
          for (String name : inner.names()) {
            try {
              secrets.put(name, Readings.string(inner.values.get(name)));
            } catch (ConfigException | ArithmeticException e) {
              inner.refuse(name, "is not a text", "write it in quotes, or remove the key");
            }
            findings.mask(inner.join(name), Masked.VALUE);
          }
          return true;
        });
    return secrets;
  }

  /** A section that is meant for somebody else, as JSON text; nothing when it is empty. */
  Optional<String> json(String key) {
    return section(
            key,
            inner -> {
              inner.open = true;
              return inner.values.isEmpty()
                  ? ""
                  : inner.values.render(ConfigRenderOptions.concise());
            })
        .filter(text -> !text.isEmpty());
  }

  /** A section as it is, without the keys that are not built in. */
  ConfigObject known(String key) {
    ConfigObject builtIn = builtIn(key);
    ConfigObject section = values.get(key) instanceof ConfigObject found ? found : builtIn;
    for (String name : section.keySet()) {
      section = builtIn.containsKey(name) ? section : section.withoutKey(name);
    }
    return section;
  }

  ConfigObject builtIn(String key) {
    return defaults.get(key) instanceof ConfigObject found ? found : empty();
  }

  /** Reads a section within this one; empty when its record refused its values. */
  <T> Optional<T> section(String key, Function<SectionReader, T> reading) {
    return section(key, builtIn(key), reading);
  }

  <T> Optional<T> section(String key, ConfigObject builtIn, Function<SectionReader, T> reading) {
    return section(key, empty(), builtIn, reading);
  }

  /**
   * @param common what the section has unless it says otherwise
   */
  <T> Optional<T> section(
      String key, ConfigObject common, ConfigObject builtIn, Function<SectionReader, T> reading) {
    known.add(key);
    ConfigValue value = values.get(key);
    if (!(value instanceof ConfigObject found)) {
      refuse(key, "is not a section" + Readings.shown(value), "write " + key + " { ... }");
      return Optional.empty();
    }
    SectionReader inner =
        new SectionReader(join(key), found.withFallback(common), builtIn, findings);
    Optional<T> built = inner.build(() -> reading.apply(inner));
    inner.refuseUnknown();
    return built;
  }

  /** Makes a record of what was read; empty when it refused the values. */
  <T> Optional<T> build(Supplier<T> record) {
    try {
      return Optional.of(record.get());
    } catch (InvalidConfig broken) {
      findings.refuse(path, broken);
      return Optional.empty();
    }
  }

  /** The keys that were written or are built in, in the order of their names. */
  List<String> names() {
    return List.copyOf(new TreeSet<>(values.keySet()));
  }

  /** Every key that is built in is known here, read or not; so in the sections below. */
  boolean likeBuiltIn(Set<String> maps) {
    known.addAll(defaults.keySet());
    open = maps.contains(path.get(path.size() - 1));
    for (Map.Entry<String, ConfigValue> inner : defaults.entrySet()) {
      if (inner.getValue() instanceof ConfigObject) {
        section(inner.getKey(), section -> section.likeBuiltIn(maps));
      }
    }
    return true;
  }

  /** Stops the search for unknown keys: what they mean here cannot be told. */
  void leaveRest() {
    open = true;
  }

  void refuse(String key, String what, String remedy) {
    findings.refuse(join(key), what, remedy);
  }

  void mask(String key, String shown) {
    findings.mask(join(key), shown);
  }

  void refuseUnknown() {
    for (String key : names()) {
      if (!open && !known.contains(key)) {
        refuse(key, "is not known", Nearest.remedy(key, known));
      }
    }
  }

  private <T> T read(String key, Function<ConfigValue, T> reading, String kind, String remedy) {
    known.add(key);
    ConfigValue value = values.get(key);
    try {
      return reading.apply(value);
    } catch (ConfigException | ArithmeticException | NumberFormatException e) {
      refuse(key, "is not " + kind + Readings.shown(value), remedy);
      return reading.apply(defaults.get(key));
    }
  }

  private List<String> join(String key) {
    List<String> joined = new ArrayList<>(path);
    joined.add(key);
    return joined;
  }

  private static ConfigObject empty() {
    return ConfigFactory.empty().root();
  }
}
