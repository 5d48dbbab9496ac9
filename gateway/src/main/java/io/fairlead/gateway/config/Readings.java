package io.fairlead.gateway.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/** Single values as their types; each throws when the value is something else. */
final class Readings {
  static final String OFF = "off";

  private Readings() {}

  /** The value as a problem names it; not one of the environment, which holds secrets. */
  static String shown(ConfigValue value) {
    if (value.origin().description().startsWith("env var")) {
      return ", value from the environment";
    }
    return switch (value.valueType()) {
      case OBJECT -> ", value={...}";
      case LIST -> ", value=[...]";
      default -> ", value=" + value.unwrapped();
    };
  }

  static int exactInt(ConfigValue value) {
    return new BigDecimal(string(value).strip()).intValueExact();
  }

  static long size(ConfigValue value) {
    return single(value).getBytes("v");
  }

  static Duration time(ConfigValue value) {
    // without a unit HOCON means milliseconds, which is hardly ever what was meant
    String text = string(value).strip();
    if (!text.equals("0")
        && !Character.isLetter(text.isEmpty() ? '0' : text.charAt(text.length() - 1))) {
      throw unreadable();
    }
    return single(value).getDuration("v");
  }

  static boolean isOff(ConfigValue value) {
    return OFF.equals(value.unwrapped());
  }

  static String string(ConfigValue value) {
    return single(value).getString("v");
  }

  static List<String> strings(ConfigValue value) {
    if (!(value instanceof ConfigList)) {
      throw unreadable();
    }
    return single(value).getStringList("v");
  }

  static Config single(ConfigValue value) {
    if (value.valueType() == ConfigValueType.NULL) {
      throw unreadable();
    }
    return value.atKey("v");
  }

  static ConfigException unreadable() {
    return new ConfigException.BadValue("v", "cannot be read");
  }
}
