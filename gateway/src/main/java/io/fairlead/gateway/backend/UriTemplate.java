package io.fairlead.gateway.backend;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A URI template that is matched against URIs: {@code {name}} stands for a part without slash,
 * {@code {+name}} for anything (RFC 6570, levels 1 and 2, read backwards).
 *
 * <p>Thread: any; immutable.
 */
final class UriTemplate {
  private static final Pattern VARIABLE = Pattern.compile("\\{(\\+?)([A-Za-z0-9_.]+)}");

  private final Pattern pattern;
  private final List<String> names = new ArrayList<>();

  UriTemplate(String template) {
    StringBuilder regex = new StringBuilder();
    Matcher variable = VARIABLE.matcher(template);
    int from = 0;
    while (variable.find()) {
      regex.append(Pattern.quote(template.substring(from, variable.start())));
      regex.append(variable.group(1).isEmpty() ? "([^/]+)" : "(.+)");
      names.add(variable.group(2));
      from = variable.end();
    }
    regex.append(Pattern.quote(template.substring(from)));
    this.pattern = Pattern.compile(regex.toString());
  }

  /** The variables by name, decoded; empty if the URI does not fit. */
  Optional<Map<String, String>> match(String uri) {
    Matcher matcher = pattern.matcher(uri);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    Map<String, String> variables = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      variables.put(names.get(i), decode(matcher.group(i + 1)));
    }
    return Optional.of(variables);
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException e) {
      return text; // a lone percent sign stands for itself
    }
  }
}
