package io.fairlead.gateway.auth;

import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The bearer token of a request (RFC 6750, section 2.1): absent, malformed, or there.
 *
 * @param sent whether something was sent as credentials
 * @param token what was sent, if it has the form of a token
 */
record Credential(boolean sent, Optional<String> token) {
  private static final Credential ABSENT = new Credential(false, Optional.empty());
  private static final Credential MALFORMED = new Credential(true, Optional.empty());
  private static final String SCHEME = "bearer ";
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

  /** From the header Authorization. */
  static Credential bearer(MultiMap headers) {
    List<String> values = headers.getAll("Authorization");
    if (values.isEmpty()) {
      return ABSENT;
    }
    String value = values.get(0);
    boolean bearer = value.toLowerCase(Locale.ROOT).startsWith(SCHEME);
    return values.size() == 1 && bearer ? of(value.substring(SCHEME.length())) : MALFORMED;
  }

  /** From the header X-Api-Key, or else from Authorization; both are one too many. */
  static Credential apiKey(MultiMap headers) {
    List<String> values = headers.getAll("X-Api-Key");
    Credential bearer = bearer(headers);
    if (values.isEmpty()) {
      return bearer;
    }
    return values.size() == 1 && !bearer.sent() ? of(values.get(0)) : MALFORMED;
  }

  private static Credential of(String text) {
    String token = text.strip();
    return TOKEN.matcher(token).matches() ? new Credential(true, Optional.of(token)) : MALFORMED;
  }
}
