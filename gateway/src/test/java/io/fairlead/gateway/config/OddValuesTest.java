package io.fairlead.gateway.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whatever is written for whichever key: an answer, and a problem that names the key. */
class OddValuesTest {
  private static final List<String> VALUES =
      List.of(
          "null",
          "\"\"",
          "\" \"",
          "x",
          "off",
          "auto",
          "true",
          "-1",
          "0",
          "1.5",
          "1e400",
          "99999999999999999999",
          "99999999999d",
          "1e30GiB",
          "[]",
          "[null]",
          "[[x]]",
          "[{}]",
          "{}",
          "{ a = null }",
          "{ a { b = 1 } }",
          "\"\\u0000\\n\"",
          "[\"\\u0000\\n\"]",
          "{ \"\" = \"\" }",
          "{ \"a b\\n\" = \"\\n\" }");
  private static final Map<String, String> BACKENDS =
      Map.of(
          "local", "backends.b { type = local }\n",
          "http", "backends.b { type = http, url = \"http://h/mcp\" }\n",
          "stdio", "backends.b { type = stdio, command = [run] }\n");

  @Test
  void everyKeyIsAnsweredWhateverItsValue() {
    int tried = 0;
    for (String key : keys(ConfigLoader.reference().root(), List.of(), new ArrayList<>())) {
      for (String value : VALUES) {
        answer("", key, value);
        tried++;
      }
    }
    assertTrue(tried > 1000, "tried=" + tried);
  }

  @Test
  void everyKeyOfABackendIsAnsweredWhateverItsValue() {
    BACKENDS.forEach(
        (type, backend) -> {
          for (String part : List.of("any", type)) {
            ConfigObject section = ConfigLoader.reference().getObject("backend-defaults." + part);
            for (String key : section.keySet()) {
              VALUES.forEach(value -> answer(backend, "backends.b." + key, value));
            }
          }
        });
  }

  private static void answer(String before, String key, String value) {
    String text = before + key + " = " + value + "\n";
    ConfigResult result = ConfigLoader.parse(text);
    List<ConfigProblem> problems =
        result.fold(
            accepted -> {
              assertEquals(
                  accepted.print(),
                  ConfigLoader.parse(accepted.print())
                      .fold(ConfigResult.Accepted::print, ConfigResult.Refused::text),
                  text);
              return List.of();
            },
            ConfigResult.Refused::problems);
    for (ConfigProblem problem : problems) {
      String line = problem.toString();
      assertTrue(problem.where().startsWith("configuration"), () -> text + line);
      assertEquals(1, line.lines().count(), () -> text + line);
      assertTrue(!problem.what().isEmpty() && !problem.remedy().isEmpty(), () -> text + line);
    }
  }

  private static List<String> keys(ConfigObject section, List<String> path, List<String> keys) {
    for (Map.Entry<String, ConfigValue> entry : section.entrySet()) {
      List<String> key = new ArrayList<>(path);
      key.add(entry.getKey());
      keys.add(ConfigUtil.joinPath(key));
      if (entry.getValue() instanceof ConfigObject inner) {
        keys(inner, key, keys);
      }
    }
    return keys;
  }
}
