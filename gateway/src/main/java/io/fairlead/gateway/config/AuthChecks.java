package io.fairlead.gateway.config;

import com.typesafe.config.ConfigUtil;
import io.fairlead.gateway.config.AuthConfig.Mode;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The rules about who may ask. */
final class AuthChecks {
  private static final Duration MAX_LEEWAY = Duration.ofSeconds(60);
  private static final Pattern KEY_ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9._~+/=-]{16,512}");
  // scope-token of RFC 6749, section 3.3
  private static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,128}");
  // asymmetric, and without a further library
  private static final Set<String> ALGORITHMS =
      new TreeSet<>(
          List.of("ES256", "ES384", "ES512", "PS256", "PS384", "PS512", "RS256", "RS384", "RS512"));

  private AuthChecks() {}

  /** What is configured for another mode is not what was meant. */
  static void mode(Checks checks, Mode mode, boolean apiKeys, boolean jwt) {
    String what = "is set, but auth.mode is another one";
    checks
        .rule(mode == Mode.API_KEY || !apiKeys, "api-keys", what, "write mode = api-key")
        .rule(mode == Mode.JWT || !jwt, "jwt", what, "write mode = jwt");
  }

  static void apiKeys(Checks checks, Map<String, String> keys) {
    checks.rule(
        !keys.isEmpty(),
        "api-keys",
        "is empty",
        "write at least one key: api-keys { ci = ${KEY} }");
    Set<String> seen = new HashSet<>();
    new TreeMap<>(keys)
        .forEach(
            (id, key) -> {
              String path = ConfigUtil.joinPath("api-keys", id);
              checks
                  .rule(
                      KEY_ID.matcher(id).matches(),
                      path,
                      "is not an id for a key",
                      "write up to 64 letters, digits, ., _ and -")
                  .rule(
                      KEY.matcher(key).matches(),
                      path,
                      "is not a key",
                      "write 16 to 512 letters, digits and . _ ~ + / = -, made by chance")
                  .rule(seen.add(key), path, "is the key of another id too", "give each its own");
            });
  }

  static void resource(Checks checks, Optional<String> resource) {
    if (resource.isEmpty()) {
      checks.rule(
          false,
          "resource",
          "is missing",
          "write the URL that clients use: resource = \"https://mcp.example.com/mcp\"");
      return;
    }
    String url = resource.get();
    checks.rule(
        uri(url).filter(uri -> isPlain(uri) && uri.getRawQuery() == null).isPresent()
            && !url.endsWith("/"),
        "resource",
        "is not the URL of a server" + (url.contains("@") ? "" : ", value=" + url),
        "write https:// (http:// on loopback only), a host and the path, without / at the end");
  }

  static void jwt(Checks checks, JwtConfig jwt) {
    checks
        .rule(
            !jwt.issuer().isEmpty(),
            "jwt.issuer",
            "is missing",
            "write what the authorization server puts into the claim iss")
        .rule(
            jwt.jwksUrl().isPresent() != jwt.jwksFile().isPresent(),
            List.of("jwt.jwks-url", "jwt.jwks-file"),
            jwt.jwksUrl().isPresent() ? "is set together with jwks-file" : "is missing",
            "write where the issuer's keys are: either jwks-url or jwks-file")
        .rule(
            !jwt.leeway().isNegative() && jwt.leeway().compareTo(MAX_LEEWAY) <= 0,
            "jwt.leeway",
            "is out of range, value=" + Checks.text(jwt.leeway()),
            "write 0s up to " + Checks.text(MAX_LEEWAY));
    jwt.jwksUrl()
        .ifPresent(
            url ->
                checks.rule(
                    uri(url).filter(AuthChecks::isPlain).isPresent(),
                    "jwt.jwks-url",
                    "is not the URL of a key set",
                    "write https:// (http:// on loopback only), a host and the path"));
    lists(checks, jwt);
  }

  private static void lists(Checks checks, JwtConfig jwt) {
    checks
        .rule(
            !jwt.algorithms().isEmpty() && ALGORITHMS.containsAll(jwt.algorithms()),
            "jwt.algorithms",
            "does not hold known signatures only, value=" + jwt.algorithms(),
            "write some of " + String.join(", ", ALGORITHMS))
        .rule(
            jwt.audience().stream().noneMatch(String::isEmpty),
            "jwt.audience",
            "holds an empty text",
            "remove it")
        .rule(
            jwt.requiredScopes().stream().allMatch(AuthChecks::isScope),
            "jwt.required-scopes",
            "holds something that is not a scope of a server, value=" + jwt.requiredScopes(),
            "write them as a list of texts without blanks, and without offline_access");
  }

  private static boolean isScope(String text) {
    // a client's wish for refresh tokens, never a server's demand: MCP 2025-11-25, authorization
    return SCOPE.matcher(text).matches() && !text.equals("offline_access");
  }

  /** Encrypted, or to this machine; no user, no fragment. */
  private static boolean isPlain(URI uri) {
    String host = Optional.ofNullable(uri.getHost()).orElse("");
    boolean loopback = Addresses.isLoopback(host.replaceAll("[\\[\\]]", ""));
    return !host.isEmpty()
        && ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()) && loopback)
        && uri.getRawUserInfo() == null
        && uri.getRawFragment() == null;
  }

  private static Optional<URI> uri(String url) {
    try {
      return Optional.of(new URI(url));
    } catch (URISyntaxException notOne) {
      return Optional.empty();
    }
  }
}
