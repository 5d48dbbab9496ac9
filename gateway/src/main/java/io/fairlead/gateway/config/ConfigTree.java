package io.fairlead.gateway.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was written and what is built in, merged: every key has a value, and every backend has the
 * defaults of its type.
 *
 * <p>Thread: one at a time.
 */
final class ConfigTree {
  static final String BUILT_IN = "built-in defaults";
  static final String BACKENDS = "backends";
  static final String DEFAULTS = "backend-defaults";

  private final Config overrides;
  private final Config file;
  private final String source;
  private final ConfigObject reference;
  private final ConfigObject values;
  private final Map<String, String> masks = new LinkedHashMap<>();

  /**
   * @param overrides single keys, stronger than the file
   * @param source how the file is called where no line can be told
   * @throws ConfigException when a substitution cannot be resolved
   */
  ConfigTree(Config overrides, Config file, String source, Config reference) {
    Config written = overrides.withFallback(file);
    Config known = written.withFallback(reference.withoutPath(BACKENDS));
    this.overrides = overrides;
    this.file = file;
    this.source = source;
    this.reference = reference.root();
    this.values = withBackends(known.resolve()).root();
  }

  ConfigObject values() {
    return values;
  }

  /** What is built in; backends have the defaults of their type in {@link #defaults}. */
  ConfigObject reference() {
    return reference;
  }

  /** The built-in defaults of one type of backend. */
  ConfigObject defaults(String type) {
    return defaults(reference, type);
  }

  /** What is written as the type of a backend, right or wrong. */
  String backendType(String name) {
    return section(values, BACKENDS).get(name) instanceof ConfigObject found ? type(found) : "";
  }

  /** What {@link #print} shows instead of the value. */
  void mask(List<String> path, String shown) {
    masks.put(ConfigUtil.joinPath(path), shown);
  }

  /** Without the defaults for backends: every backend has its own here. */
  String print() {
    Config shown = values.toConfig().withoutPath(DEFAULTS);
    for (Map.Entry<String, String> mask : masks.entrySet()) {
      shown = shown.withValue(mask.getKey(), ConfigValueFactory.fromAnyRef(mask.getValue()));
    }
    return shown
        .root()
        .render(
            ConfigRenderOptions.defaults()
                .setOriginComments(false)
                .setComments(false)
                .setJson(false));
  }

  /** All of it on one line, secrets in clear. */
  String secretText() {
    return values.render(ConfigRenderOptions.concise());
  }

  /** Where a key was written; if it was not, where the nearest section around it was. */
  String where(List<String> path) {
    Optional<ConfigValue> written =
        at(overrides.root(), path)
            .or(() -> at(file.root(), path))
            .or(() -> at(values, path).filter(ConfigTree::isWrittenValue));
    for (int size = path.size() - 1; written.isEmpty() && size > 0; size--) {
      List<String> around = path.subList(0, size);
      written = at(file.root(), around).or(() -> at(overrides.root(), around));
    }
    return written.map(value -> where(value.origin())).orElse(source);
  }

  /** A section has no place of its own once it is merged. */
  private static boolean isWrittenValue(ConfigValue value) {
    return !(value instanceof ConfigObject) && !value.origin().description().startsWith(BUILT_IN);
  }

  static String where(ConfigOrigin origin) {
    String name =
        origin.filename() != null
            ? origin.filename()
            : origin.description().replaceFirst(": \\d+(-\\d+)?$", "");
    return origin.lineNumber() > 0 ? name + ":" + origin.lineNumber() : name;
  }

  /** With the built-in backend if there is no other, and each with the defaults of its type. */
  private Config withBackends(Config merged) {
    Optional<ConfigValue> written = Optional.ofNullable(merged.root().get(BACKENDS));
    if (written.filter(found -> !(found instanceof ConfigObject)).isPresent()) {
      return merged;
    }
    ConfigObject backends =
        written.map(ConfigObject.class::cast).orElse(ConfigFactory.empty().root());
    if (backends.isEmpty()) {
      backends = (ConfigObject) reference.get(BACKENDS);
    }
    for (Map.Entry<String, ConfigValue> backend : backends.entrySet()) {
      if (backend.getValue() instanceof ConfigObject found) {
        backends = backends.withValue(backend.getKey(), withDefaults(found, merged.root()));
      }
    }
    return merged.withValue(BACKENDS, backends);
  }

  private ConfigObject withDefaults(ConfigObject backend, ConfigObject merged) {
    String type = type(backend);
    ConfigObject builtIn = defaults(type);
    ConfigObject written = defaults(merged, type);
    for (String key : written.keySet()) {
      // an unknown key is reported where it was written, not again in every backend
      written = builtIn.containsKey(key) ? written : written.withoutKey(key);
    }
    return backend.withFallback(written).withFallback(builtIn);
  }

  private static String type(ConfigObject backend) {
    ConfigValue type = backend.get("type");
    return type == null ? "" : String.valueOf(type.unwrapped());
  }

  private static ConfigObject defaults(ConfigObject root, String type) {
    return section(section(root, DEFAULTS), type)
        .withFallback(section(section(root, DEFAULTS), "any"));
  }

  private static ConfigObject section(ConfigObject parent, String key) {
    return parent.get(key) instanceof ConfigObject found ? found : ConfigFactory.empty().root();
  }

  private static Optional<ConfigValue> at(ConfigObject root, List<String> path) {
    ConfigValue value = root;
    try {
      for (String key : path) {
        value = value instanceof ConfigObject object ? object.get(key) : null;
      }
    } catch (ConfigException.NotResolved within) {
      // a section that is itself put together by a substitution: the one around it will do
      return Optional.empty();
    }
    return Optional.ofNullable(value);
  }
}
