package io.fairlead.gateway.config;

import com.typesafe.config.ConfigUtil;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The rules for what is written about one backend. */
final class BackendChecks {
  static final int LARGEST_MESSAGE = 1 << 30;

  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_-]{0,31})");
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
  private static final Pattern FIELD_VALUE = Pattern.compile("[\\x20-\\x7e\\t]*");

  /** What the gateway itself writes, or HTTP needs for framing. */
  private static final Set<String> RESERVED =
      Set.of(
          "accept",
          "connection",
          "content-encoding",
          "content-length",
          "content-type",
          "expect",
          "host",
          "last-event-id",
          "mcp-method",
          "mcp-name",
          "mcp-protocol-version",
          "mcp-session-id",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private BackendChecks() {}

  static Checks common(Optional<String> prefix) {
    Checks checks = new Checks();
    prefix.ifPresent(
        text ->
            checks.rule(
                PREFIX.matcher(text).matches() && !text.contains("__") && !text.endsWith("_"),
                "prefix",
                "is not a prefix, value=" + text,
                "write auto, or up to 32 letters, digits, - and single _, not at the end"));
    return checks;
  }

  static void url(Checks checks, String url) {
    if (url.isEmpty()) {
      checks.rule(false, "url", "is missing", "write where the server is: url = \"http://...\"");
      return;
    }
    Optional<URI> uri = uri(url);
    String scheme = uri.map(URI::getScheme).orElse("").toLowerCase(Locale.ROOT);
    checks
        .rule(
            (scheme.equals("http") || scheme.equals("https"))
                && uri.map(URI::getHost).isPresent()
                && uri.map(URI::getFragment).isEmpty(),
            "url",
            "is not an address of a server"
                + (url.contains("@") ? "" : ", value=" + Masked.url(url)),
            "write http:// or https://, a host, a port if needed, and the path")
        .rule(
            uri.map(URI::getRawUserInfo).isEmpty(),
            "url",
            "holds a user and password",
            "write an Authorization header under headers instead");
  }

  static void headers(Checks checks, Map<String, String> headers, Optional<String> principal) {
    headers.forEach(
        (name, value) -> {
          String key = ConfigUtil.joinPath("headers", name);
          headerName(checks, key, name);
          checks.rule(
              FIELD_VALUE.matcher(value).matches(),
              key,
              "has a value with a character that no header may hold",
              "write printable ASCII on one line");
        });
    principal.ifPresent(
        name -> {
          headerName(checks, "principal-header", name);
          checks.rule(
              headers.keySet().stream().noneMatch(name::equalsIgnoreCase),
              List.of("principal-header", "headers"),
              "is also one of the fixed headers, value=" + name,
              "remove it from headers");
        });
  }

  static void command(Checks checks, List<String> command) {
    checks
        .rule(
            !command.isEmpty() && !command.get(0).isBlank(),
            "command",
            "is missing",
            "write the program and its arguments: command = [\"npx\", \"-y\", \"...\"]")
        .rule(
            command.stream().noneMatch(argument -> argument.indexOf('\0') >= 0),
            "command",
            "holds a NUL character",
            "remove it");
  }

  static void env(Checks checks, Map<String, String> env) {
    env.forEach(
        (name, value) ->
            checks.rule(
                !name.isEmpty()
                    && name.indexOf('=') < 0
                    && name.indexOf('\0') < 0
                    && value.indexOf('\0') < 0,
                ConfigUtil.joinPath("env", name),
                "is not a variable that a process can have",
                "write a name without = and a value without NUL"));
  }

  private static void headerName(Checks checks, String key, String name) {
    checks
        .rule(
            TOKEN.matcher(name).matches(),
            key,
            "is not a header name",
            "write letters, digits and - only")
        .rule(
            !RESERVED.contains(name.toLowerCase(Locale.ROOT)),
            key,
            "is a header that the gateway writes itself",
            "remove it");
  }

  private static Optional<URI> uri(String url) {
    try {
      return Optional.of(new URI(url));
    } catch (URISyntaxException notOne) {
      return Optional.empty();
    }
  }
}
