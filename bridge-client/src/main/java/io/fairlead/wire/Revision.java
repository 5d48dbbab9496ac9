package io.fairlead.wire;

import java.util.Optional;

/** The MCP revisions spoken as legacy (initialize, sessions, resumable streams), oldest first. */
public enum Revision {
  V2024_11_05("2024-11-05"),
  V2025_03_26("2025-03-26"),
  V2025_06_18("2025-06-18"),
  V2025_11_25("2025-11-25");

  /** The first stateless revision; not spoken yet. */
  public static final String MODERN = "2026-07-28";

  public static final Revision LATEST = V2025_11_25;

  private final String text;

  Revision(String text) {
    this.text = text;
  }

  /** The revision as it stands in messages and headers. */
  public String text() {
    return text;
  }

  /** The revision with this text, if it is spoken. */
  public static Optional<Revision> of(String text) {
    for (Revision revision : values()) {
      if (revision.text.equals(text)) {
        return Optional.of(revision);
      }
    }
    return Optional.empty();
  }

  /** What to answer to a client that asks for {@code text}: the same if spoken, else the latest. */
  public static Revision negotiate(String text) {
    return of(text).orElse(LATEST);
  }

  /** Whether streams are primed with an id and empty data (2025-11-25, transports). */
  public boolean primes() {
    return compareTo(V2025_11_25) >= 0;
  }

  /** Whether a POST may carry an array (2025-03-26 only). */
  public boolean batches() {
    return this == V2025_03_26;
  }
}
