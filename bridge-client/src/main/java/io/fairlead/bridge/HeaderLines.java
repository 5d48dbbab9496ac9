package io.fairlead.bridge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code Name: value}; a refusal names the header, never its value. */
final class HeaderLines {
  private static final Pattern LINE =
      Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*([ -~\\x80-\\xff]*?)[ \\t]*");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");

  private HeaderLines() {}

  static Map<String, String> read(
      List<String> lines, Optional<Path> file, Map<String, String> environment) {
    List<String> all = new ArrayList<>();
    file.ifPresent(path -> all.addAll(linesOf(path)));
    all.addAll(lines);
    Map<String, String> headers = new LinkedHashMap<>();
    for (String line : all) {
      Matcher header = LINE.matcher(expand(line, environment));
      if (!header.matches()) {
        int colon = line.indexOf(':');
        String name = colon < 0 ? "no colon" : line.substring(0, colon);
        throw new IllegalArgumentException(
            "not a header ('Name: value', visible characters): " + name);
      }
      headers.put(header.group(1), header.group(2));
    }
    return headers;
  }

  private static List<String> linesOf(Path file) {
    try {
      return Files.readAllLines(file).stream().filter(line -> !line.isBlank()).toList();
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read --header-file=" + file, e);
    }
  }

  private static String expand(String line, Map<String, String> environment) {
    return VARIABLE
        .matcher(line)
        .replaceAll(
            variable -> {
              String value = environment.get(variable.group(1));
              if (value == null) {
                throw new IllegalArgumentException(
                    "the environment has no variable=" + variable.group(1) + " for a header");
              }
              return Matcher.quoteReplacement(value);
            });
  }
}
