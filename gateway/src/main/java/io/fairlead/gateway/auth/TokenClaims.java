package io.fairlead.gateway.auth;

import com.nimbusds.jwt.JWTClaimsSet;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a valid token says about who asks and how far it reaches (RFC 9068, section 2.2).
 *
 * <p>Thread: any; immutable.
 */
record TokenClaims(JWTClaimsSet claims) {

  /** Whether the token was issued for one of {@code resources} (RFC 8707). */
  boolean isFor(Collection<String> resources) {
    return !Collections.disjoint(claims.getAudience(), resources);
  }

  boolean namesSubject() {
    return text("sub").filter(subject -> !subject.isEmpty()).isPresent();
  }

  /** From {@code scope}, and from {@code scp}, which some servers write instead. */
  Set<String> scopes() {
    Set<String> scopes = new HashSet<>(words(claims.getClaim("scope")));
    scopes.addAll(words(claims.getClaim("scp")));
    return scopes;
  }

  /** Never the client alone: it would make all its users one. */
  Principal principal() {
    String client = text("client_id").or(() -> text("azp")).orElse("");
    return new Principal(claims.getIssuer(), claims.getSubject(), client);
  }

  /** How long it is accepted from now on, with the tolerance for clocks that differ. */
  Duration validFor(Duration leeway) {
    return Duration.between(Instant.now(), claims.getExpirationTime().toInstant()).plus(leeway);
  }

  private Optional<String> text(String claim) {
    return claims.getClaim(claim) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  private static List<String> words(Object claim) {
    if (claim instanceof String text) {
      return Arrays.asList(text.split(" "));
    }
    return claim instanceof List<?> list
        ? list.stream().filter(String.class::isInstance).map(String.class::cast).toList()
        : List.of();
  }
}
