package io.fairlead.gateway.route;

import java.util.Optional;

/** A URI template (RFC 6570, levels 1 to 3 and explode) that says whether a URI may come of it. */
public final class UriTemplate {

  private UriTemplate() {}

  /** The template, if it is well formed and of bounded size. */
  public static Optional<UriTemplate> parse(String template) {
    throw new UnsupportedOperationException("stub");
  }

  /** Whether {@code uri} may be an expansion of it. */
  public boolean matches(String uri) {
    throw new UnsupportedOperationException("stub");
  }

  /** The number of characters outside of expressions: of two that match, the larger is meant. */
  public int literals() {
    throw new UnsupportedOperationException("stub");
  }
}
